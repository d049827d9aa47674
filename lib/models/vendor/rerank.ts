import * as z from "zod";
import { callForJson, type JsonUpstream, MalformedAnswer } from "./json-call";

export interface RerankUpstream extends JsonUpstream {
  /** Sent in Cohere's and Jina's shape; without one, the request has TEI's shape. */
  model: string | undefined;
}

// A number too large for JavaScript becomes infinite, which zod rejects.
const index = z.int().min(0);
const Results = z.array(
  z.union([
    z.object({ index, relevance_score: z.number() }),
    z
      .object({ index, score: z.number() })
      .transform(({ score, ...rest }) => ({ ...rest, relevance_score: score })),
  ]),
);
const Answer = z.union([
  Results,
  z.object({ results: Results }).transform(({ results }) => results),
]);

/**
 * A reranker in the shape of Cohere and Jina, or of Hugging Face TEI: one score per text, in the texts' order, null for
 * a text without one. Throws as `callForJson` does.
 */
export function createUpstreamReranker(upstream: RerankUpstream) {
  return (
    query: string,
    texts: readonly string[],
    bounds: { signal: AbortSignal; timeoutMs: number },
  ): Promise<(number | null)[]> => {
    const task = {
      operation: "rerank" as const,
      name: upstream.model ?? "rerank",
      body: bodyOf(upstream.model, query, texts),
      read: (answer: unknown) => toScores(answer, texts.length),
    };
    return callForJson(upstream, task, bounds);
  };
}

function bodyOf(model: string | undefined, query: string, texts: readonly string[]) {
  return model
    ? { model, query, documents: texts, top_n: texts.length }
    : { query, texts, truncate: true };
}

function toScores(answer: unknown, count: number): (number | null)[] {
  const { data: results } = Answer.safeParse(answer);
  const scores = new Array<number | null>(count).fill(null);
  if (!results || results.length === 0) {
    throw new MalformedAnswer("the reranker returned no valid results");
  }
  for (const { index: place, relevance_score: score } of results) {
    if (place >= count || scores[place] !== null) {
      throw new MalformedAnswer("the reranker's indexes do not name each text once");
    }
    scores[place] = score;
  }
  return scores;
}
