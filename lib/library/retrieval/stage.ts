import type { Attributes } from "@opentelemetry/api";
import { metrics, secondsSince } from "@/lib/platform/metrics";
import { errorType, inSpan } from "@/lib/platform/tracing";

/** Outcomes in the metrics by type of error. Others are `failed`. */
const OUTCOMES: Record<string, string> = {
  invalid_request: "rejected",
  TimeoutError: "timeout",
  AbortError: "aborted",
};

/** Runs one stage of a search in a span, and records its duration. */
export async function stage<T>(
  name:
    | "search"
    | "statistics"
    | "selection"
    | "embedding"
    | "words"
    | "vectors"
    | "fusion"
    | "passages"
    | "rerank",
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
