import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { forkOwn } from "./gateway/processes";

const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 7);
const REQUESTS = 20_000;
/** Between two turns of the event loop, in which what was gathered is sent. */
const AT_A_TIME = 64;
const BODY = JSON.stringify({ messages: [] });
const TOKEN = "a-token-for-the-bench-alone";

/**
 * What telemetry itself costs of a plain completion: `route()` with all that a completion tells of (hold, one call
 * to a model, settlement), and nothing else. CPU time of this process, so that a busy machine weighs little;
 * variants in turns, medians of the rounds. What is sent goes to a process that takes it.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const collector = forkOwn("upstream.ts");
  try {
    const [{ url }] = (await once(collector, "message")) as [{ url: string }];
    const endpoint = new URL(url).origin;
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
    process.env.OTEL_TRACES_SAMPLER = "parentbased_traceidratio";
    process.env.OTEL_TRACES_SAMPLER_ARG = "0.1";
    process.env.LOG_LEVEL = "error";
    const variants = {
      off: {},
      metrics: { METRICS_TOKEN: TOKEN },
      "traces at 10 %": { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      both: { METRICS_TOKEN: TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    };
    const figures = await measureAll(variants);
    return report(figures);
  } finally {
    collector.kill();
  }
}

type Variables = { METRICS_TOKEN?: string; OTEL_EXPORTER_OTLP_ENDPOINT?: string };
type Figures = Record<string, number[]>;

async function measureAll(variants: Record<string, Variables>): Promise<Figures> {
  const { env } = await import("@/lib/env");
  const { startTelemetry, stopTelemetry } = await import("@/lib/telemetry/start");
  const ask = await asking();
  const before = { ...env };
  const figures: Figures = {};
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, variables] of Object.entries(variants)) {
      const absent = { METRICS_TOKEN: undefined, OTEL_EXPORTER_OTLP_ENDPOINT: undefined };
      Object.assign(env, before, absent, variables, { OTEL_METRICS_EXPORTER: "none" });
      await startTelemetry();
      const micros = await measure(ask);
      await stopTelemetry();
      if (round >= 0) {
        figures[name] = [...(figures[name] ?? []), micros];
      }
    }
  }
  return figures;
}

/** A route that tells all that a plain completion tells. */
async function asking(): Promise<() => Promise<unknown>> {
  const [
    { route },
    { inSpan, DATABASE },
    { metrics },
    { UpstreamCall },
    { recordSettlementMetrics },
  ] = await Promise.all([
    import("@/lib/http/route"),
    import("@/lib/tracing"),
    import("@/lib/metrics"),
    import("@/lib/models/vendor/upstream-call"),
    import("@/lib/billing/write/settlement-metrics"),
  ]);
  const url = new URL("http://127.0.0.1/v1/chat/completions");
  const call = { operation: "chat", upstreamModel: "bench", model: "bench", url } as const;
  const used = { model: "bench", kind: "core", promptTokens: 30, completionTokens: 60 };
  const settled = { ...used, passages: null, warningCodes: [], firstTokenMs: null };
  const answer = route({
    gate: async () => ({ ctx: undefined }),
    handle: async () => {
      await inSpan("hold", DATABASE, async () => {});
      metrics()?.holds.add(1, { outcome: "admitted" });
      const told = new UpstreamCall(call);
      told.headers;
      told.began(200);
      told.ended("ok");
      await inSpan("settlement", DATABASE, async () => {});
      recordSettlementMetrics(settled, 90n);
      return {};
    },
  });
  return () => answer(new Request(url, { method: "POST", body: BODY }));
}

/** Microseconds of CPU a request. */
async function measure(ask: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let asked = 0; asked < REQUESTS; asked += AT_A_TIME) {
    for (let count = 0; count < AT_A_TIME; count += 1) {
      await ask();
    }
    await setImmediate();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

function report(figures: Figures) {
  const base = median(figures.off ?? []);
  const rows = Object.entries(figures).map(([name, all]) => {
    const micros = median(all);
    const range = `${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)}`;
    return `| ${name} | ${micros.toFixed(1)} | ${range} | ${(micros - base).toFixed(1)} |`;
  });
  const head = ["| telemetry | CPU µs/request | least to most | more |", "|---|---|---|---|"];
  return { table: [...head, ...rows].join("\n"), result: figures };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
