import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { auditMoney, MODEL, startBare, startPortkey, startProduct } from "./gateway/gateways";
import type { Load } from "./gateway/load";
import { databaseCpu, drive, forkOwn, type Gateway } from "./gateway/processes";
import { openDatabase, openServer, settings } from "./search/server";
import { cpuMsBetween } from "./shared/cpu";

const CLIENTS = (process.env.FOOTNOTE_BENCH_CLIENTS ?? "64,16").split(",").map(Number);
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 7);
const SECONDS = Number(process.env.FOOTNOTE_BENCH_SECONDS ?? 6);
const WARM_UP_SECONDS = Number(process.env.FOOTNOTE_BENCH_WARM_UP_SECONDS ?? 10);
const BODY = JSON.stringify({
  model: MODEL,
  temperature: 0.2,
  max_tokens: 200,
  messages: [
    { role: "system", content: "You answer questions of medical staff in two sentences at most." },
    { role: "user", content: "What are the signs of a stroke, and what is to be done first?" },
  ],
});

interface Measured extends Load {
  gateway: string;
  clients: number;
  cpu_ms_per_request: number;
  database_cpu_ms_per_request: number;
}

const COLUMNS = [
  "requests_per_second",
  "p50_ms",
  "p95_ms",
  "p99_ms",
  "cpu_ms_per_request",
  "database_cpu_ms_per_request",
] as const;

/**
 * Plain completions through `npm start` on PostgreSQL, and through `@portkey-ai/gateway`, which has no keys, limits
 * or billing, and a bare proxy that shows what the machine can do, with the same upstream. All start once, warm up alike, and are measured alternately. Fails on any
 * response other than 2xx and on inconsistent accounts.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const databaseUrl = await openDatabase(server, "footnote_bench_gateway", async () => false);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-gateway-"));
  const upstream = forkOwn("upstream.ts");
  const load = forkOwn("load.ts");
  const gateways: Gateway[] = [];
  const database = new pg.Client(databaseUrl);
  try {
    const [{ url }] = (await once(upstream, "message")) as [{ url: string }];
    const product = await startProduct({ databaseUrl, dataDir, upstream: url });
    gateways.push(product.gateway, await startPortkey(url), await startBare(url));
    await database.connect();
    const rounds = await measureAll(gateways, async (gateway, clients, seconds) => {
      const before = { gateway: gateway.cpu(), database: await databaseCpu(database) };
      const order = { clients: [{ url: gateway.url, headers: gateway.headers }], bodies: [BODY] };
      const figures = await drive(load, { ...order, connections: clients, seconds });
      const each = (ms: number) => Number((ms / figures.answered).toFixed(3));
      return {
        gateway: gateway.name,
        clients,
        ...figures,
        cpu_ms_per_request: each(cpuMsBetween(before.gateway, gateway.cpu())),
        database_cpu_ms_per_request: each(
          cpuMsBetween(before.database, await databaseCpu(database)),
        ),
      };
    });
    await Promise.all(gateways.splice(0).map(({ stop }) => stop()));
    const audit = await auditMoney(databaseUrl, product.account);
    return report({ rounds, audit, settings: await settings(server) });
  } finally {
    upstream.kill();
    load.kill();
    await Promise.all(gateways.map(({ stop }) => stop()));
    await database.end();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Measure = (gateway: Gateway, clients: number, seconds: number) => Promise<Measured>;

async function measureAll(gateways: readonly Gateway[], measure: Measure): Promise<Measured[]> {
  const rounds: Measured[] = [];
  const once = async (gateway: Gateway, clients: number, seconds: number) => {
    const measured = await measure(gateway, clients, seconds);
    process.stderr.write(`${JSON.stringify(measured)}\n`);
    if (measured.failed > 0) {
      throw new Error(`${gateway.name}: ${measured.failed} requests failed`);
    }
    return measured;
  };
  for (const gateway of gateways) {
    await once(gateway, Math.max(...CLIENTS), WARM_UP_SECONDS);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const clients of CLIENTS) {
      // Alternate the order.
      for (const gateway of round % 2 ? gateways.toReversed() : gateways) {
        rounds.push(await once(gateway, clients, SECONDS));
      }
    }
  }
  return rounds;
}

interface Outcome {
  rounds: readonly Measured[];
  audit: Record<string, unknown>;
  settings: Record<string, string>;
}

function report({ rounds, audit, settings }: Outcome) {
  const figure = (gateway: string, clients: number, name: (typeof COLUMNS)[number]) =>
    median(
      rounds
        .filter((one) => one.gateway === gateway && one.clients === clients)
        .map((one) => one[name]),
    );
  const ratio = (gateway: string, clients: number) =>
    Number(
      (
        figure(gateway, clients, "requests_per_second") /
        figure("portkey", clients, "requests_per_second")
      ).toFixed(2),
    );
  const rows = CLIENTS.flatMap((clients) =>
    ["footnote", "portkey", "bare"].map((gateway) => {
      const cells = COLUMNS.map((name) => figure(gateway, clients, name));
      return `| ${[clients, gateway, ...cells].join(" | ")} |`;
    }),
  );
  const ratios = Object.fromEntries(
    CLIENTS.flatMap((clients) => [
      [`ratio_portkey_${clients}`, ratio("footnote", clients)],
      [`ratio_portkey_${clients}_bare`, ratio("bare", clients)],
    ]),
  );
  const table = [
    "| clients | gateway | requests/s | p50 ms | p95 ms | p99 ms | CPU of the gateway, ms/request | of PostgreSQL |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
    JSON.stringify({ ...ratios, audit }),
  ].join("\n");
  return { table, result: { ...ratios, audit, settings, rounds } };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
