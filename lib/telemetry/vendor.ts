import "server-only";
import { context, ProxyTracerProvider, propagation, type Tracer, trace } from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  detectResources,
  envDetector,
  hostDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { startMetrics, stopMetrics } from "@/lib/metrics";
import { SCOPE, startTracing, stopTracing } from "@/lib/tracing";
import { observeProcess } from "./gauges";

/** A collector that is away is away at every export. */
const COMPLAIN_EVERY_MS = 60_000;
/** How long one that hangs is waited for when a scrape needs the database. */
const COLLECT_TIMEOUT_MS = 5000;
const LONGEST_EXPORT_MS = 30_000;

/** Units as the Prometheus form of OpenTelemetry's names spells them; units in braces are not spelled. */
const UNITS: Record<string, string> = { s: "seconds", By: "bytes" };

/** OpenTelemetry's SDK, as the environment configures it: samplers, headers, intervals and names are its own. */
export function openTelemetry({ traces, push, pull }: TelemetryOptions): TelemetryBackend {
  reportFailures();
  const resource = resourceFromAttributes({ "service.name": SCOPE }).merge(
    // Not the process's: its arguments may hold anything.
    detectResources({ detectors: [envDetector, hostDetector, serviceInstanceIdDetector] }),
  );
  const tracers = traces ? openTraces(resource) : null;
  // It serves at no port of its own.
  const reader = pull ? new PrometheusExporter({ preventServerStart: true }) : null;
  const meters =
    push || reader
      ? new MeterProvider({
          resource,
          readers: [...(reader ? [reader] : []), ...(push ? [pushing()] : [])],
        })
      : null;
  if (meters) {
    const meter = meters.getMeter(SCOPE);
    startMetrics(meter);
    observeProcess(meter);
  }
  return {
    scrape: async () => {
      const collected = await reader?.collect({ timeoutMillis: COLLECT_TIMEOUT_MS });
      return collected ? toText(collected.resourceMetrics) : "";
    },
    close: async () => {
      stopTracing();
      stopMetrics();
      trace.disable();
      context.disable();
      propagation.disable();
      await Promise.allSettled([tracers?.shutdown(), meters?.shutdown()]);
    },
  };
}

/**
 * Next makes spans of its own where it finds a provider, with the whole address of each request in them, and
 * what a caller put there. Nobody but this product is given a tracer that records.
 */
class FootnoteTracerProvider extends NodeTracerProvider {
  readonly #none = new ProxyTracerProvider().getDelegate();

  override getTracer(name: string, version?: string, options?: { schemaUrl?: string }): Tracer {
    return name === SCOPE
      ? super.getTracer(name, version, options)
      : this.#none.getTracer(name, version, options);
  }
}

function openTraces(resource: Resource): FootnoteTracerProvider {
  const exporter = new OTLPTraceExporter();
  const provider = new FootnoteTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  startTracing();
  return provider;
}

function pushing(): PeriodicExportingMetricReader {
  const exportIntervalMillis = env.OTEL_METRIC_EXPORT_INTERVAL;
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(exportIntervalMillis, LONGEST_EXPORT_MS),
  });
}

function reportFailures(): void {
  let complainedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((failure) => {
    if (performance.now() - complainedAt > COMPLAIN_EVERY_MS) {
      complainedAt = performance.now();
      const err = failure instanceof Error ? failure : new Error("the telemetry SDK failed");
      log.warn({ err }, "traces or metrics were not delivered");
    }
  });
}

function toText(collected: ResourceMetrics): string {
  const scopeMetrics = collected.scopeMetrics.map((scope) => ({
    ...scope,
    metrics: scope.metrics.map((metric) => ({
      ...metric,
      descriptor: { ...metric.descriptor, name: withUnit(metric.descriptor) },
    })),
  }));
  // Without the scope, which is one, as a label of each line.
  return new PrometheusSerializer(undefined, false, undefined, false, true).serialize({
    ...collected,
    scopeMetrics,
  });
}

function withUnit({ name, unit }: { name: string; unit: string }): string {
  return UNITS[unit] ? `${name}.${UNITS[unit]}` : name;
}

/** What of the process is told, and how. */
export interface TelemetryOptions {
  /** Traces go to a collector. */
  traces: boolean;
  /** Metrics go to a collector. */
  push: boolean;
  /** Metrics are there to be asked for. */
  pull: boolean;
}

export interface TelemetryBackend {
  /** The metrics in Prometheus' text form. */
  scrape(): Promise<string>;
  /** Sends what is waiting, and no more after it. Never rejects. */
  close(): Promise<void>;
}
