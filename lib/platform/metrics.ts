import type { Meter } from "@opentelemetry/api";
import { processSingleton } from "@/lib/singleton";

/** From a database query to the slowest upstream, in seconds. */
const SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

const started = processSingleton("metrics", (): { instruments?: Metrics } => ({}));

/** Undefined while metrics are off. */
export function metrics(): Metrics | undefined {
  return started.instruments;
}

export function startMetrics(meter: Meter): void {
  started.instruments = createMetrics(meter);
}

type Metrics = ReturnType<typeof createMetrics>;

/**
 * Uses OpenTelemetry's standard names where they exist. Labels have few values: our own names and catalogue ids, never
 * a caller's.
 */
function createMetrics(meter: Meter) {
  const seconds = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: SECONDS },
    });
  const count = (name: string, description: string) => meter.createCounter(name, { description });
  return {
    requests: seconds(
      "http.server.request.duration",
      "Request duration to the end of its response or stream, by method, route, status and error code.",
    ),
    firstToken: seconds(
      "footnote.first_token.duration",
      "Time to first token of streamed completions, by model and kind.",
    ),
    tokens: count("footnote.tokens", "Tokens charged, by model, kind and direction."),
    cost: count("footnote.cost.microdollars", "Micro-dollars charged, by model and kind."),
    shortfall: count(
      "footnote.shortfall.microdollars",
      "Micro-dollars that upstreams bill and no account was charged, by model and kind.",
    ),
    upstream: seconds(
      "footnote.upstream.duration",
      "Upstream call duration per attempt, by operation, model and outcome.",
    ),
    upstreamFirstByte: seconds(
      "footnote.upstream.first_byte.duration",
      "Time to first byte of upstream calls, by operation and model.",
    ),
    retrieval: seconds(
      "footnote.retrieval.duration",
      "Duration of searches and their stages, by outcome.",
    ),
    holds: count("footnote.holds", "Holds, by outcome."),
    refusedPayments: count(
      "footnote.payments.refused",
      "Paid checkouts that were not credited, by reason.",
    ),
    jobs: count("footnote.jobs", "Document job attempts, by outcome."),
    jobStages: seconds("footnote.job.stage.duration", "Duration of document job stages."),
  };
}

export function stopMetrics(): void {
  delete started.instruments;
}

export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
