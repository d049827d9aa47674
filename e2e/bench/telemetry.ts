import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { MODEL, startProduct } from "./gateway/gateways";
import type { Load } from "./gateway/load";
import { drive, forkOwn, type Gateway } from "./gateway/processes";
import { openDatabase, openServer, settings } from "./search/server";
import { cpuMsBetween } from "./shared/cpu";

const CLIENTS = 64;
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 7);
const SECONDS = Number(process.env.FOOTNOTE_BENCH_SECONDS ?? 5);
const WARM_UP_SECONDS = Number(process.env.FOOTNOTE_BENCH_WARM_UP_SECONDS ?? 8);
const SCRAPE_MS = 5000;
const TOKEN = "a-token-for-the-bench-alone";
const BODY = JSON.stringify({
  model: MODEL,
  max_tokens: 200,
  messages: [{ role: "user", content: "What are the signs of a stroke?" }],
});

interface Measured extends Load {
  telemetry: string;
  cpu_ms_per_request: number;
}

/**
 * Plain completions through the product as `npm start` runs it, on PostgreSQL, with nothing told, with metrics
 * scraped, with traces sent at 10 %, and with all of it; servers of one build, asked in turns.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const databaseUrl = await openDatabase(server, "footnote_bench_telemetry", async () => false);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-telemetry-"));
  const upstream = forkOwn("upstream.ts");
  const load = forkOwn("load.ts");
  const collector = await startCollector();
  const gateways: Gateway[] = [];
  const scrapes = setInterval(() => void scrapeAll(gateways), SCRAPE_MS);
  try {
    const [{ url }] = (await once(upstream, "message")) as [{ url: string }];
    for (const [name, env] of Object.entries(variants(collector.url))) {
      const { gateway } = await startProduct({ databaseUrl, dataDir, upstream: url, env });
      gateways.push({ ...gateway, name });
    }
    const rounds = await measureAll(gateways, load);
    const took = { spans: collector.spans(), scrapes: collector.scrapes };
    return report(rounds, took, await settings(server));
  } finally {
    clearInterval(scrapes);
    upstream.kill();
    load.kill();
    await Promise.all(gateways.map(({ stop }) => stop()));
    collector.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function variants(endpoint: string): Record<string, Record<string, string>> {
  const metrics = { METRICS_TOKEN: TOKEN };
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_METRICS_EXPORTER: "none",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.1",
  };
  return { off: {}, metrics, traces, both: { ...metrics, ...traces } };
}

async function startCollector() {
  let spans = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) {
      text += piece;
    }
    spans += text.split('"spanId"').length - 1;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    scrapes: scraped,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const scraped = { ok: 0 };

async function scrapeAll(gateways: readonly Gateway[]): Promise<void> {
  for (const { name, url } of gateways) {
    if (name === "metrics" || name === "both") {
      const address = new URL("/api/metrics", url);
      const { ok } = await fetch(address, { headers: { authorization: `Bearer ${TOKEN}` } });
      scraped.ok += Number(ok);
    }
  }
}

async function measureAll(
  gateways: readonly Gateway[],
  load: ReturnType<typeof forkOwn>,
): Promise<Measured[]> {
  for (const gateway of gateways) {
    await measure(gateway, load, WARM_UP_SECONDS);
  }
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Who was first is last the next time.
    for (const gateway of round % 2 ? gateways.toReversed() : gateways) {
      rounds.push(await measure(gateway, load, SECONDS));
    }
  }
  return rounds;
}

async function measure(
  gateway: Gateway,
  load: ReturnType<typeof forkOwn>,
  seconds: number,
): Promise<Measured> {
  const before = gateway.cpu();
  const order = { clients: [{ url: gateway.url, headers: gateway.headers }], bodies: [BODY] };
  const figures = await drive(load, { ...order, connections: CLIENTS, seconds });
  if (figures.failed > 0) {
    throw new Error(`${gateway.name}: ${figures.failed} requests failed`);
  }
  const cpu = cpuMsBetween(before, gateway.cpu()) / figures.answered;
  const measured = {
    telemetry: gateway.name,
    ...figures,
    cpu_ms_per_request: Number(cpu.toFixed(4)),
  };
  process.stderr.write(`${JSON.stringify(measured)}\n`);
  return measured;
}

function report(rounds: readonly Measured[], took: object, settings: Record<string, string>) {
  const names = [...new Set(rounds.map(({ telemetry }) => telemetry))];
  const of = (name: string, figure: "cpu_ms_per_request" | "requests_per_second" | "p50_ms") =>
    median(rounds.filter(({ telemetry }) => telemetry === name).map((each) => each[figure]));
  const base = of("off", "cpu_ms_per_request");
  const rows = names.map((name) => {
    const cpu = of(name, "cpu_ms_per_request");
    const more = ((cpu - base) * 1000).toFixed(0);
    const cells = [of(name, "requests_per_second"), of(name, "p50_ms"), cpu.toFixed(3), more];
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  const table = [
    "| telemetry | requests/s | p50 ms | CPU ms/request | more, µs |",
    "|---|---|---|---|---|",
    ...rows,
    JSON.stringify(took),
  ].join("\n");
  return { table, result: { took, settings, rounds } };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
