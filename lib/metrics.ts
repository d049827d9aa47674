import type { Counter, Histogram, Meter } from "@opentelemetry/api";
import { processSingleton } from "./singleton";

/** In seconds: from what a database answers in to what an upstream takes at its worst. */
const SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

/** What is counted and timed where it happens. Labels are few: names of ours and ids of the catalogue, never of a caller. */
export interface Metrics {
  requests: Histogram;
  firstToken: Histogram;
  tokens: Counter;
  cost: Counter;
  upstream: Histogram;
  upstreamFirstByte: Histogram;
  retrieval: Histogram;
  holds: Counter;
  jobs: Counter;
  jobStages: Histogram;
}

const started = processSingleton("metrics", (): { instruments?: Metrics } => ({}));

/** Undefined while nobody asks for metrics. */
export function metrics(): Metrics | undefined {
  return started.instruments;
}

/** Makes the instruments, for all bundles of the process. Names are OpenTelemetry's where it has one. */
export function startMetrics(meter: Meter): void {
  const seconds = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: SECONDS },
    });
  const count = (name: string, description: string) => meter.createCounter(name, { description });
  started.instruments = {
    requests: seconds(
      "http.server.request.duration",
      "Requests to their end, a stream's included, by method, route, status and error code.",
    ),
    firstToken: seconds(
      "footnote.first_token.duration",
      "From the admission of a streamed completion to its first text, by model and kind.",
    ),
    tokens: count("footnote.tokens", "Tokens charged for, by model, kind and direction."),
    cost: count("footnote.cost.microdollars", "Micro-dollars charged, by model and kind."),
    upstream: seconds(
      "footnote.upstream.duration",
      "Calls to models, each try to the end of its answer, by operation, model and outcome.",
    ),
    upstreamFirstByte: seconds(
      "footnote.upstream.first_byte.duration",
      "Calls to models until the answer began, by operation and model.",
    ),
    retrieval: seconds("footnote.retrieval.duration", "Searches and their stages, by outcome."),
    holds: count("footnote.holds", "Holds by what became of them."),
    jobs: count("footnote.jobs", "Attempts at document jobs by outcome."),
    jobStages: seconds("footnote.job.stage.duration", "Stages of document jobs."),
  };
}

export function stopMetrics(): void {
  delete started.instruments;
}

/** Seconds since a reading of performance.now(). */
export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
