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
import { env, VERSION } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { startMetrics, stopMetrics } from "@/lib/platform/metrics";
import { SCOPE, switchTracing } from "@/lib/platform/tracing";
import { observeProcess } from "./read";

/** An unreachable collector fails every export. */
const WARN_INTERVAL_MS = 60_000;
/** A scrape needs the database, which may hang. */
const COLLECT_TIMEOUT_MS = 5000;
const LONGEST_EXPORT_MS = 30_000;

/** Units as spelled in Prometheus names. */
const UNITS: Record<string, string> = { s: "seconds", By: "bytes" };

/**
 * Starts OpenTelemetry's SDK, which reads samplers, headers and names from the environment. Sends traces and pushes
 * metrics to a collector, and lets metrics be pulled by scraping.
 */
export function openTelemetry({ traces, push, pull }: Record<"traces" | "push" | "pull", boolean>) {
  reportFailures();
  const resource = resourceFromAttributes({
    "service.name": SCOPE,
    "service.version": VERSION,
  }).merge(
    // No process detector: arguments may contain secrets.
    detectResources({ detectors: [envDetector, hostDetector, serviceInstanceIdDetector] }),
  );
  const tracers = traces ? openTraces(resource) : null;
  // No server of its own: /api/metrics serves it.
  const reader = pull ? new PrometheusExporter({ preventServerStart: true }) : null;
  const readers = [reader, push ? pushing() : null].filter((each) => each !== null);
  const meters = readers.length > 0 ? new MeterProvider({ resource, readers }) : null;
  if (meters) {
    const meter = meters.getMeter(SCOPE);
    startMetrics(meter);
    observeProcess(meter);
  }
  return {
    /** Metrics in Prometheus text format. */
    scrape: async () => {
      const collected = await reader?.collect({ timeoutMillis: COLLECT_TIMEOUT_MS });
      return collected ? toText(collected.resourceMetrics) : "";
    },
    /** Flushes and stops. Never rejects. */
    close: async () => {
      switchTracing(false);
      stopMetrics();
      trace.disable();
      context.disable();
      propagation.disable();
      await Promise.allSettled([tracers?.shutdown(), meters?.shutdown()]);
    },
  };
}

/** Only our own tracer records: Next's spans would contain full request URLs. */
class FootnoteTracerProvider extends NodeTracerProvider {
  readonly #none = new ProxyTracerProvider().getDelegate();

  override getTracer(...named: Parameters<NodeTracerProvider["getTracer"]>): Tracer {
    return named[0] === SCOPE ? super.getTracer(...named) : this.#none.getTracer(...named);
  }
}

function openTraces(resource: Resource): FootnoteTracerProvider {
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new FootnoteTracerProvider({ resource, spanProcessors });
  provider.register({ propagator: new W3CTraceContextPropagator() });
  switchTracing(true);
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
  let warnedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((failure) => {
    if (performance.now() - warnedAt > WARN_INTERVAL_MS) {
      warnedAt = performance.now();
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
  // There is only one scope, so leave its label out.
  return new PrometheusSerializer(undefined, false, undefined, false, true).serialize({
    ...collected,
    scopeMetrics,
  });
}

function withUnit({ name, unit }: { name: string; unit: string }): string {
  return UNITS[unit] ? `${name}.${UNITS[unit]}` : name;
}
