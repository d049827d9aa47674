import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type RunningServer, startServer } from "../product";
import type { Load, Order } from "./gateway/load";
import { drive, forkOwn, runOwn } from "./gateway/processes";
import { postmasterOf, redisProcess } from "./processes/cpu";
import { openRedis } from "./processes/redis";
import { type Written, writtenTo } from "./processes/written";
import { onServer, openDatabase, openServer, settings } from "./search/server";
import { cpuMsBetween, cpuTimesOf, processesBelow } from "./shared/cpu";
import { toTable } from "./shared/table";

const PROCESSES = [1, 2, 3];
const CHUNKS = Number(process.env.FOOTNOTE_BENCH_CHUNKS ?? 10_000);
const CLIENTS = Number(process.env.FOOTNOTE_BENCH_CLIENTS ?? 48);
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.FOOTNOTE_BENCH_SECONDS ?? 6);
const WARM_UP_SECONDS = Number(process.env.FOOTNOTE_BENCH_WARM_UP_SECONDS ?? 15);
const ACCOUNTS = 12;
const SEED = 20_261_121;
const MODEL = "bench";

const KINDS = ["completions", "searches"] as const;
type Kind = (typeof KINDS)[number];

interface Account {
  account: string;
  key: string;
}

interface Query {
  text: string;
  point: string;
}

interface Measured extends Load {
  kind: Kind;
  processes: number;
  server_cpu_ms: number;
  postgres_cpu_ms: number;
  redis_cpu_ms: number;
  /** Bytes written to PostgreSQL's log, and to the tables that each request adds a row to, with indexes. */
  wal_bytes: number;
  table_bytes: number;
}

/**
 * Plain completions and searches through 1, 2 and 3 servers of `npm start`, with one PostgreSQL server and one Redis,
 * by clients of several accounts: requests per second, and CPU time per request of every component.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const name = `footnote_bench_processes_${CHUNKS}`;
  const databaseUrl = await openDatabase(server, name, isLoaded);
  const queries: Query[] = JSON.parse(
    await runOwn("../processes/corpus.ts", [String(CHUNKS), String(SEED)], {
      DATABASE_URL: databaseUrl,
    }),
  );
  const redis = await openRedis();
  const upstream = forkOwn("../processes/upstream.ts");
  const load = forkOwn("load.ts");
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-processes-"));
  const servers: RunningServer[] = [];
  try {
    const upstreamUrl = await introduce(upstream, queries);
    const environment = environmentOf(databaseUrl, redis.url, upstreamUrl);
    for (const index of PROCESSES) {
      servers.push(
        await startServer({
          dataDir: path.join(dataDir, String(index)),
          databaseUrl,
          isDemo: false,
          env: environment,
        }),
      );
    }
    const accounts: Account[] = JSON.parse(
      await runOwn("../processes/accounts.ts", ["prepare", String(ACCOUNTS), MODEL], environment),
    );
    const others = [await postmasterOf(databaseUrl), await redisProcess(redis.url)] as const;
    const bench = { servers, accounts, queries, load, others, databaseUrl };
    const rounds = await measureAll(bench);
    await Promise.all(servers.splice(0).map(({ stop }) => stop()));
    await audit(accounts, environment);
    return report(rounds, await settings(server));
  } finally {
    upstream.kill();
    load.kill();
    await Promise.all(servers.map(({ stop }) => stop()));
    await redis.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function isLoaded(url: string): Promise<boolean> {
  return onServer(url, (client) =>
    client.query("SELECT FROM bench_mark").then(
      ({ rowCount }) => rowCount === 1,
      () => false,
    ),
  );
}

/** Starts the upstream with each question's vector and returns its URL. */
async function introduce(upstream: ChildProcess, queries: readonly Query[]): Promise<string> {
  const [{ url }] = (await once(upstream, "message")) as [{ url: string }];
  const points = Object.fromEntries(queries.map(({ text, point }) => [text, point]));
  upstream.send({ points });
  await once(upstream, "message");
  return url;
}

function environmentOf(databaseUrl: string, redisUrl: string, upstream: string) {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    MODELS: JSON.stringify([{ id: MODEL, upstream: { base_url: upstream } }]),
    EMBEDDING_MODEL: MODEL,
    EMBEDDING_BASE_URL: upstream,
    REQUESTS_PER_MINUTE: "1000000000",
    TOKENS_PER_MINUTE: "1000000000000",
    RETRIEVAL_DEADLINE_MS: "60000",
    RUN_JOBS: "false",
  };
}

interface Bench {
  servers: readonly RunningServer[];
  accounts: readonly Account[];
  queries: readonly Query[];
  load: ChildProcess;
  /** The main processes of PostgreSQL and Redis. */
  others: readonly [number, number];
  databaseUrl: string;
}

async function measureAll(bench: Bench): Promise<Measured[]> {
  for (const kind of KINDS) {
    await measure(bench, { kind, processes: bench.servers.length, seconds: WARM_UP_SECONDS });
  }
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of KINDS) {
      for (const processes of round % 2 ? PROCESSES.toReversed() : PROCESSES) {
        rounds.push(await measure(bench, { kind, processes, seconds: SECONDS }));
      }
    }
  }
  return rounds;
}

async function measure(
  { servers, accounts, queries, load, others, databaseUrl }: Bench,
  { kind, processes, seconds }: { kind: Kind; processes: number; seconds: number },
): Promise<Measured> {
  const targets = servers.slice(0, processes);
  const sample = () => ({
    servers: targets.map(({ pid }) => cpuTimesOf(processesBelow(pid))),
    others: others.map((pid) =>
      pid ? cpuTimesOf(processesBelow(pid)) : new Map<number, number>(),
    ),
  });
  const writtenBefore = await writtenTo(databaseUrl);
  const before = sample();
  const figures = await drive(
    load,
    orderOf(kind, { servers: targets, accounts, queries, seconds }),
  );
  const after = sample();
  const written = await writtenTo(databaseUrl);
  const bytes = (name: keyof Written) =>
    Math.round((written[name] - writtenBefore[name]) / figures.answered);
  const each = (part: "servers" | "others") =>
    after[part].map((times, index) =>
      Number((cpuMsBetween(before[part][index] ?? new Map(), times) / figures.answered).toFixed(3)),
    );
  const [postgres = 0, redis = 0] = each("others");
  const measured = {
    ...{ kind, processes, ...figures },
    server_cpu_ms: Number(
      each("servers")
        .reduce((sum, ms) => sum + ms, 0)
        .toFixed(3),
    ),
    postgres_cpu_ms: postgres,
    redis_cpu_ms: redis,
    wal_bytes: bytes("wal"),
    table_bytes: bytes("tables"),
  };
  process.stderr.write(`${JSON.stringify(measured)}\n`);
  if (figures.failed > 0) {
    throw new Error(`${figures.failed} requests failed`);
  }
  return measured;
}

function orderOf(
  kind: Kind,
  {
    servers,
    accounts,
    queries,
    seconds,
  }: Pick<Bench, "servers" | "accounts" | "queries"> & {
    seconds: number;
  },
): Order {
  const isSearch = kind === "searches";
  const clients = accounts.map(({ key }, index) => ({
    url: `${servers[index % servers.length]?.url}${isSearch ? "/v1/kb/search" : "/v1/chat/completions"}`,
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
  }));
  const messages = [
    { role: "system", content: "You answer questions of medical staff in two sentences at most." },
    { role: "user", content: "What are the signs of a stroke, and what is to be done first?" },
  ];
  const bodies = isSearch
    ? queries.map(({ text }) =>
        JSON.stringify({ query: text, sources: ["public_kb"], min_score: 0 }),
      )
    : [JSON.stringify({ model: MODEL, temperature: 0.2, max_tokens: 200, messages })];
  return { clients, bodies, connections: CLIENTS, seconds };
}

async function audit(accounts: readonly Account[], environment: Record<string, string>) {
  const ids = accounts.map(({ account }) => account);
  const wrong = await runOwn("../processes/accounts.ts", ["audit", ...ids], environment);
  if (wrong !== "[]") {
    throw new Error(`inconsistent accounts: ${wrong}`);
  }
}

const FIGURES = [
  "requests_per_second",
  "p50_ms",
  "p95_ms",
  "server_cpu_ms",
  "postgres_cpu_ms",
  "redis_cpu_ms",
  "wal_bytes",
  "table_bytes",
] as const;

function report(rounds: readonly Measured[], server: Record<string, string>) {
  const rows = KINDS.flatMap((kind) =>
    PROCESSES.map((processes) => {
      const same = rounds.filter((one) => one.kind === kind && one.processes === processes);
      return [kind, processes, ...FIGURES.map((name) => median(same.map((one) => one[name])))];
    }),
  );
  const header = ["", "processes", "requests/s", "p50 ms", "p95 ms"];
  const table = toTable(
    [...header, "server CPU ms", "PostgreSQL CPU ms", "Redis CPU ms", "log bytes", "table bytes"],
    rows,
  );
  return { table, result: { chunks: CHUNKS, clients: CLIENTS, server, rounds } };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
