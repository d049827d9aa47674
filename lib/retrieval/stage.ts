import type { Attributes } from "@opentelemetry/api";
import { metrics, secondsSince } from "@/lib/metrics";
import { errorType, inSpan } from "@/lib/tracing";

/** What a search does, the whole of it among them. */
export type StageName =
  | "search"
  | "statistics"
  | "embedding"
  | "words"
  | "vectors"
  | "fusion"
  | "passages";

/** Runs a stage of a search: a span of its trace, and a time in the metrics. */
export async function stage<T>(
  name: StageName,
  work: () => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const startedAt = performance.now();
  const record = (outcome: string) =>
    metrics()?.retrieval.record(secondsSince(startedAt), { stage: name, outcome });
  try {
    const result = await inSpan(`retrieval ${name}`, attributes, work);
    record("ok");
    return result;
  } catch (thrown) {
    record(OUTCOMES[errorType(thrown)] ?? "failed");
    throw thrown;
  }
}

/** By what was thrown; all else failed. */
const OUTCOMES: Record<string, string> = {
  invalid_request: "rejected",
  TimeoutError: "timeout",
  AbortError: "aborted",
};
