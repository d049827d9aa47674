import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import type { openTelemetry } from "./vendor";

/** An unreachable collector must not delay shutdown. */
const CLOSE_MS = 2000;

const started = processSingleton(
  "telemetry",
  (): { backend?: ReturnType<typeof openTelemetry> } => ({}),
);

/** Starts the configured exports, once per process. The SDK is loaded only if there are any. */
export async function startTelemetry(): Promise<void> {
  const isPushed = Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const options = {
    traces: isPushed && env.OTEL_TRACES_EXPORTER === "otlp",
    push: isPushed && env.OTEL_METRICS_EXPORTER === "otlp",
    pull: env.METRICS_TOKEN !== undefined,
  };
  if (!started.backend && Object.values(options).some(Boolean)) {
    started.backend = (await import("./vendor")).openTelemetry(options);
  }
}

/** Flushes pending data before the process ends. */
export async function stopTelemetry(): Promise<void> {
  const telemetry = started.backend;
  delete started.backend;
  await Promise.race([telemetry?.close(), sleep(CLOSE_MS, undefined, { ref: false })]);
}

export async function scrape(): Promise<string> {
  return (await started.backend?.scrape()) ?? "";
}
