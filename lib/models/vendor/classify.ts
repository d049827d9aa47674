import * as z from "zod";
import { callForJson, type JsonUpstream, MalformedAnswer } from "./json-call";

const Labels = z.array(z.object({ label: z.string(), score: z.number() })).min(1);
/** For a single pair, some servers leave the outer list out. */
const Answer = z.union([z.array(Labels), Labels.transform((labels) => [labels])]);

/**
 * The likeliest label of each pair of a premise and a hypothesis, in their order, by a text-classification server in the
 * shape of text-embeddings-inference's `/predict`. Throws as `callForJson` does.
 */
export function classifyPairs(
  upstream: JsonUpstream,
  pairs: readonly (readonly [premise: string, hypothesis: string])[],
  bounds: { signal: AbortSignal; timeoutMs: number },
): Promise<string[]> {
  const task = {
    operation: "classify" as const,
    name: "classify",
    body: { inputs: pairs, truncate: true },
    read: (answer: unknown) => {
      const { data } = Answer.safeParse(answer);
      if (data?.length !== pairs.length) {
        throw new MalformedAnswer("the classifier didn't return labels for each pair");
      }
      return data.map(
        (labels) => labels.reduce((best, one) => (one.score > best.score ? one : best)).label,
      );
    },
  };
  return callForJson(upstream, task, bounds);
}
