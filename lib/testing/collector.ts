import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startTelemetry, stopTelemetry } from "@/lib/operations/telemetry/start";
import { env } from "@/lib/platform/env";

/** A received span in OTLP's JSON encoding. */
export interface SeenSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  events: string[];
  /** 2 for an error. */
  status: number;
}

export interface Collector {
  spans: SeenSpan[];
  /** The names of received metrics. */
  metrics: Set<string>;
  /** Everything received, unparsed. */
  bodies: string[];
  /** Stops telemetry, flushing the rest, and the collector. */
  end(): Promise<void>;
}

interface Options {
  /** Accepts requests but never responds. */
  hangs?: boolean;
  token?: string;
}

/** Starts telemetry in this process, exporting to a collector on loopback. */
export async function collect({ hangs = false, token }: Options = {}): Promise<Collector> {
  const collector = { spans: [] as SeenSpan[], metrics: new Set<string>(), bodies: [] as string[] };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) {
      body += piece;
    }
    take(collector, body);
    if (!hangs) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const end = await tell({ OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_TOKEN: token });
  return {
    ...collector,
    end: async () => {
      await end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts telemetry with these variables and returns a function that stops it. */
export async function tell(
  variables: Pick<typeof env, "OTEL_EXPORTER_OTLP_ENDPOINT" | "METRICS_TOKEN">,
): Promise<() => Promise<void>> {
  const before = { ...env };
  Object.assign(env, variables);
  // The SDK reads it directly.
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = variables.OTEL_EXPORTER_OTLP_ENDPOINT ?? "";
  await startTelemetry();
  return async () => {
    await stopTelemetry();
    Object.assign(env, before);
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  };
}

interface Sent {
  resourceSpans?: {
    scopeSpans: {
      spans: (Omit<SeenSpan, "attributes" | "events" | "status"> & {
        attributes: { key: string; value: object }[];
        events: { name: string }[];
        status: { code?: number };
      })[];
    }[];
  }[];
  resourceMetrics?: { scopeMetrics: { metrics: { name: string }[] }[] }[];
}

function take(collector: Omit<Collector, "end">, body: string): void {
  collector.bodies.push(body);
  const { resourceSpans = [], resourceMetrics = [] }: Sent = JSON.parse(body);
  for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap(spansOf)) {
    collector.spans.push(span);
  }
  for (const { metrics } of resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics)) {
    for (const { name } of metrics) {
      collector.metrics.add(name);
    }
  }
}

function spansOf({
  spans,
}: NonNullable<Sent["resourceSpans"]>[number]["scopeSpans"][number]): SeenSpan[] {
  return spans.map(({ attributes, events, status, ...span }) => ({
    ...span,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
    ),
    events: events.map(({ name }) => name),
    status: status.code ?? 0,
  }));
}
