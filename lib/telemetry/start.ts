import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/singleton";
import type { TelemetryBackend } from "./vendor";

/** A collector that is away must not keep a process from ending. */
const CLOSE_MS = 2000;

const started = processSingleton("telemetry", (): { backend?: TelemetryBackend } => ({}));

/** Starts what the environment asks for, once a process; the SDK is loaded only then. */
export async function startTelemetry(): Promise<void> {
  const isPushed = Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const wishes = {
    traces: isPushed && env.OTEL_TRACES_EXPORTER === "otlp",
    push: isPushed && env.OTEL_METRICS_EXPORTER === "otlp",
    pull: env.METRICS_TOKEN !== undefined,
  };
  if (!started.backend && Object.values(wishes).some(Boolean)) {
    const { openTelemetry } = await import("./vendor");
    started.backend = openTelemetry(wishes);
  }
}

/** Sends what is waiting, before a process ends. */
export async function stopTelemetry(): Promise<void> {
  const telemetry = started.backend;
  delete started.backend;
  const given = sleep(CLOSE_MS, undefined, { ref: false });
  await Promise.race([telemetry?.close(), given]);
}

/** The metrics of this process, for Prometheus. */
export async function scrape(): Promise<string> {
  return (await started.backend?.scrape()) ?? "";
}
