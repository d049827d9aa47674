import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import pg from "pg";
import { databaseCpu, forkOwn, runOwn } from "./gateway/processes";
import { type Order, type Turn, WORKS, type Work } from "./row-security/ask";
import { openDatabase, openServer, settings } from "./search/server";
import { cpuMsBetween } from "./shared/cpu";
import { toTable } from "./shared/table";

const MODEL = "bench";
const SIZE = process.env.FOOTNOTE_BENCH_SIZES ?? "20000";
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 21);
/** The target duration of a turn. */
const TURN_MS = 700;
const WARM_UP_REQUESTS = 300;
const SIDES = ["off", "on"] as const;
type Side = (typeof SIDES)[number];

interface Measured extends Turn {
  work: Work;
  side: Side;
  round: number;
  database_cpu_ms_per_request: number;
}

/**
 * The same requests with and without row-level security, by two processes on one PostgreSQL database. Each request is
 * for a different account than the previous one. Turns are interleaved; figures are medians over the rounds, and
 * ratios are medians of each round's ratio.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const url = await openDatabase(server, "footnote_bench_row_security", async () => false);
  const upstream = forkOwn("upstream.ts");
  const workers: Partial<Record<Side, ChildProcess>> = {};
  const client = new pg.Client(url);
  try {
    const [started] = (await once(upstream, "message")) as [{ url: string }];
    const env = environment(url, started.url);
    const callers = await runOwn("../row-security/prepare.ts", [SIZE, MODEL], env);
    for (const side of SIDES) {
      workers[side] = await startWorker(callers, { ...env, ROW_SECURITY: String(side === "on") });
    }
    await client.connect();
    const rounds = await measureAll(workers as Record<Side, ChildProcess>, client);
    return report(rounds, await settings(server));
  } finally {
    upstream.kill();
    for (const worker of Object.values(workers)) {
      worker.kill();
    }
    await client.end();
  }
}

function environment(url: string, upstream: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    NEXTAUTH_SECRET: "a-secret-for-tests-alone-0123456789",
    LOG_LEVEL: "error",
    MODELS: JSON.stringify([{ id: MODEL, upstream: { base_url: upstream } }]),
    REQUESTS_PER_MINUTE: "1000000000",
    CONSOLE_REQUESTS_PER_MINUTE: "1000000000",
    TOKENS_PER_MINUTE: "1000000000",
    ...{ REDIS_URL: "", EMBEDDING_MODEL: "", VERIFY_MODEL: "", RATES_FILE: "", RUN_JOBS: "false" },
  };
}

async function startWorker(callers: string, env: Record<string, string>): Promise<ChildProcess> {
  const worker = fork(path.join(import.meta.dirname, "row-security/worker.ts"), [MODEL, callers], {
    execArgv: ["--conditions=react-server", "--import=tsx"],
    env: { ...process.env, ...env },
  });
  await once(worker, "message");
  return worker;
}

async function measureAll(
  workers: Record<Side, ChildProcess>,
  client: pg.Client,
): Promise<Measured[]> {
  const rounds: Measured[] = [];
  for (const work of WORKS) {
    const warm = { work, requests: WARM_UP_REQUESTS };
    await drive(workers.on, warm);
    const { ms_per_request } = await drive(workers.off, warm);
    const order = { work, requests: Math.ceil(TURN_MS / ms_per_request) };
    for (let round = 0; round < ROUNDS; round += 1) {
      // The second one runs with warm caches, so alternate the order.
      for (const side of round % 2 ? SIDES : SIDES.toReversed()) {
        const before = await databaseCpu(client);
        const turn = await drive(workers[side], order);
        const cpu = cpuMsBetween(before, await databaseCpu(client)) / order.requests;
        rounds.push({ work, side, round, ...turn, database_cpu_ms_per_request: cpu });
      }
    }
    process.stderr.write(`${work}: ${order.requests} requests a turn\n`);
  }
  return rounds;
}

async function drive(worker: ChildProcess, order: Order): Promise<Turn> {
  const done = new AbortController();
  const { signal } = done;
  const gone = once(worker, "exit", { signal }).then(() => {
    throw new Error("a bench worker exited");
  });
  gone.catch(() => {});
  worker.send(order);
  const [turn] = await Promise.race([once(worker, "message", { signal }), gone]);
  done.abort();
  return turn as Turn;
}

function report(rounds: readonly Measured[], server: object): { table: string; result: object } {
  const figures = WORKS.map((work) => figuresOf(rounds.filter((one) => one.work === work)));
  const rows = figures.map((each) => [
    each.work,
    each.off_ms.toFixed(2),
    each.on_ms.toFixed(2),
    each.ratio.toFixed(3),
    each.cpu_ratio.toFixed(3),
  ]);
  const header = ["", "off, ms", "on, ms", "ratio", "CPU ratio, including the database"];
  return {
    table: toTable(header, rows),
    result: { server, chunks: Number(SIZE), rounds: ROUNDS, figures },
  };
}

function figuresOf(rounds: readonly Measured[]) {
  const of = (side: Side) => rounds.filter((one) => one.side === side);
  const by = (figure: (one: Measured) => number) => {
    const off = new Map(of("off").map((one) => [one.round, figure(one)]));
    return median(of("on").map((one) => figure(one) / (off.get(one.round) ?? Number.NaN)));
  };
  return {
    work: rounds[0]?.work ?? "",
    off_ms: median(of("off").map((one) => one.ms_per_request)),
    on_ms: median(of("on").map((one) => one.ms_per_request)),
    ratio: by((one) => one.ms_per_request),
    cpu_ratio: by((one) => one.cpu_ms_per_request + one.database_cpu_ms_per_request),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
