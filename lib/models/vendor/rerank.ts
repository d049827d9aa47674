import * as z from "zod";
import { circuitBreakerFor } from "./breaker";
import { outcomeOfFailure, postUpstream } from "./exchange";
import { type CallOutcome, outcomeOfStatus, UpstreamCall } from "./upstream-call";

export interface RerankUpstream {
  /** The whole address, such as http://localhost:8080/rerank. */
  url: string;
  apiKey: string | undefined;
  /** Sent in Cohere's and Jina's shape; without one, the request has TEI's shape. */
  model: string | undefined;
}

/** Far more than a score per text, even if an upstream repeats the texts. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_IDLE_MS = 60_000;
/** In metrics and for the circuit breaker, if the upstream serves a single model. */
const UNNAMED = "rerank";

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
 * a text without one. Throws the signal's reason, or an error whose message is safe to log: no text, no key.
 */
export function createUpstreamReranker(upstream: RerankUpstream) {
  const url = new URL(upstream.url);
  const name = upstream.model ?? UNNAMED;
  const ask = async (
    query: string,
    texts: readonly string[],
    { signal, bounded }: { signal: AbortSignal; bounded: AbortSignal },
  ) => {
    const call = { operation: "rerank", upstreamModel: name, model: name, url } as const;
    const observer = new UpstreamCall(call);
    try {
      const answer = await postUpstream({
        url,
        headers: { ...headersOf(upstream), ...observer.headers },
        body: JSON.stringify(bodyOf(upstream.model, query, texts)),
        signal: bounded,
        // Never reached: the signal bounds the whole call.
        idleTimeoutMs: MAX_IDLE_MS,
      });
      const body = await answer.text(MAX_ANSWER_BYTES);
      if (answer.status < 200 || answer.status > 299) {
        throw new RejectedError(name, answer.status);
      }
      const scores = toScores(parsed(body), texts.length);
      observer.ended("ok");
      return scores;
    } catch (error) {
      observer.ended(signal.aborted ? "aborted" : outcomeOf(error));
      throw error;
    }
  };
  return (
    query: string,
    texts: readonly string[],
    { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  ): Promise<(number | null)[]> => {
    // Being late counts as a failure of the upstream; a caller who leaves doesn't.
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return circuitBreakerFor(upstream.url, name).run({
      call: () => ask(query, texts, { signal, bounded }),
      signal,
      isFailure: (cause) => !(cause instanceof RejectedError) || cause.status >= 500,
    });
  };
}

function headersOf({ apiKey }: RerankUpstream): Record<string, string> {
  return {
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": "footnote",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
}

function bodyOf(model: string | undefined, query: string, texts: readonly string[]) {
  return model
    ? { model, query, documents: texts, top_n: texts.length }
    : { query, texts, truncate: true };
}

function outcomeOf(error: unknown): CallOutcome {
  return error instanceof RejectedError ? outcomeOfStatus(error.status) : outcomeOfFailure(error);
}

/** Without the upstream's message, which may repeat the texts. */
class RejectedError extends Error {
  constructor(
    name: string,
    readonly status: number,
  ) {
    super(`the reranker ${name} returned status ${status}`);
  }
}

class MalformedAnswer extends Error {}

/** JSON.parse quotes the text in its errors. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedAnswer("the reranker returned no JSON");
  }
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
