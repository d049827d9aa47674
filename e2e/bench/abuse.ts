import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type RunningServer, startServer } from "../product";
import { ATTACKS } from "./abuse/attacks";
import { measureBlocks } from "./abuse/blocks";
import {
  type Bench,
  driveNormal,
  MEMORY_RETURNED,
  type Measured,
  measureAttack,
  originOf,
} from "./abuse/measure";
import type { NormalLoad } from "./abuse/normal";
import { forkOwn, runOwn } from "./gateway/processes";
import { openProbe, type Probe } from "./load/memory";
import { openDatabase } from "./search/server";
import { toTable } from "./shared/table";

const SECONDS = Number(process.env.FOOTNOTE_BENCH_SECONDS ?? 20);
const CHOSEN = process.env.FOOTNOTE_BENCH_ATTACKS?.split(",");
/** Selected as attacks are. */
const BLOCKS = "longest blocks";
const NORMAL_ACCOUNTS = 9;
const MODELS = ["bench", "footnote-extract-1"];
const GOAL = { times: 2, observer_p99_ms: 250, memory: MEMORY_RETURNED };

/**
 * Nine accounts with normal traffic, alone and beside an abusive account and strangers, one attack after the other, all
 * with the default limits. One server of `npm start`, on FOOTNOTE_BENCH_DATABASE_URL or the embedded database.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const attacks = Object.keys(ATTACKS).filter((name) => CHOSEN?.includes(name) ?? true);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-abuse-"));
  const upstream = fork(path.join(import.meta.dirname, "load/soak-upstream.ts"), { execArgv: [] });
  const normal = forkOwn("../abuse/normal.ts");
  const attacker = forkOwn("../abuse/attacker.ts");
  const servers: RunningServer[] = [];
  try {
    const [{ url }] = (await once(upstream, "message")) as [{ url: string }];
    const probe = await openProbe();
    const start = await prepareStart({ dataDir, upstream: url, probe });
    const [observer = "", ...keys] = await makeKeys(
      start.env,
      2 + NORMAL_ACCOUNTS + attacks.length,
    );
    const normalKeys = keys.splice(0, NORMAL_ACCOUNTS);
    const common = { probe, normal, attacker, keys: normalKeys, observer, seconds: SECONDS };
    const measured: Measured[] = [];
    for (const [index, attack] of attacks.entries()) {
      servers.push(...(servers.length === 0 ? [await started(start, common)] : []));
      const bench: Bench = { ...common, server: servers[0] as RunningServer };
      const one = await measureAttack(bench, attack, keys[index] ?? "");
      process.stderr.write(`${JSON.stringify(summaryOf(one))}\n`);
      measured.push(one);
      if (one.recoveredSeconds === null) {
        await end(servers.shift());
      }
    }
    const last = keys[attacks.length] ?? "";
    if (!(CHOSEN?.includes(BLOCKS) ?? true)) {
      return report(measured);
    }
    servers.push(...(servers.length === 0 ? [await started(start, common)] : []));
    const { table, blocks } = await measureBlocks(originOf(servers[0] as RunningServer), last);
    const whole = report(measured);
    return { table: `${whole.table}\n\n${table}`, result: { ...whole.result, blocks } };
  } finally {
    for (const child of [upstream, normal, attacker]) {
      child.kill();
    }
    await Promise.all(servers.map(end));
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Start = Parameters<typeof startServer>[0] & { env: Record<string, string> };

/** An empty database with the public sample. The embedded one has to have its accounts before a server opens it. */
async function prepareStart({
  dataDir,
  upstream,
  probe,
}: {
  dataDir: string;
  upstream: string;
  probe: Probe;
}): Promise<Start> {
  const server = process.env.FOOTNOTE_BENCH_DATABASE_URL;
  const databaseUrl = server
    ? await openDatabase(server, "footnote_bench_abuse", async () => false)
    : "";
  const models = [{ id: "bench", upstream: { base_url: upstream } }];
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    MODELS: JSON.stringify(models),
    NEXTAUTH_SECRET: "a-secret-for-the-bench-alone-0123456789",
    REQUESTS_PER_MINUTE: "",
    LOG_LEVEL: "error",
  };
  await runOwn("../../../scripts/setup.ts", [], env);
  return { dataDir, databaseUrl, models, isDemo: false, env: { ...env, ...probe.env } };
}

async function makeKeys(env: Record<string, string>, count: number): Promise<string[]> {
  const { NODE_OPTIONS: _, ...own } = env;
  const output = await runOwn("../abuse/accounts.ts", [String(count), ...MODELS], own);
  return (JSON.parse(output) as { key: string }[]).map(({ key }) => key);
}

/** A server that has compiled its code and filled its pools. */
async function started(start: Start, common: Omit<Bench, "server">): Promise<RunningServer> {
  const server = await startServer(start);
  await driveNormal({ ...common, server });
  return server;
}

/** At once: what an attack has left behind may take minutes. */
async function end(server: RunningServer | undefined): Promise<void> {
  // One that an attack has ended can't be killed.
  await server?.kill().catch(() => {});
}

function summaryOf({ attack, before, during, outcomes, rss, ...rest }: Measured) {
  const times = pointOf(during, 0.99) / pointOf(before, 0.99);
  return {
    attack,
    outcomes,
    before_ms: [pointOf(before, 0.5), pointOf(before, 0.99)],
    during_ms: [pointOf(during, 0.5), pointOf(during, 0.99)],
    times: Number(times.toFixed(1)),
    errors: during.errors,
    errors_before: before.errors,
    observer_p99_ms: [pointOf(before, 0.99, ["observer"]), pointOf(during, 0.99, ["observer"])],
    ready_ms: [pointOf(before, 1, ["ready"]), pointOf(during, 1, ["ready"])],
    rss_mb: rss,
    recovered_seconds: rest.recoveredSeconds,
    has_died: rest.hasDied,
  };
}

/** A percentile over the given kinds; by default, over the normal accounts' requests. */
function pointOf({ ms }: NormalLoad, share: number, kinds?: string[]): number {
  const names = kinds ?? Object.keys(ms).filter((name) => name !== "observer" && name !== "ready");
  const all = names.flatMap((name) => ms[name] ?? []).sort((a, b) => a - b);
  return Math.round(all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0);
}

type Summary = ReturnType<typeof summaryOf>;

function missesOf({ times, errors, observer_p99_ms, rss_mb, has_died }: Summary): string[] {
  const [, observed = 0] = observer_p99_ms;
  const misses = {
    p99: times > GOAL.times,
    errors: Object.keys(errors).length > 0,
    models: observed >= GOAL.observer_p99_ms,
    memory: (rss_mb.after ?? Number.POSITIVE_INFINITY) > rss_mb.before * GOAL.memory,
    ended: has_died,
  };
  return Object.entries(misses).flatMap(([name, isMissed]) => (isMissed ? [name] : []));
}

/** The columns of the table: a cell for each attack, and the goal. */
const COLUMNS: readonly [header: string, cell: (one: Summary) => string | number, goal?: string][] =
  [
    ["attack", ({ attack }) => attack, "goal"],
    ["its requests", ({ outcomes }) => listed(outcomes)],
    ["p50 / p99 alone, ms", ({ before_ms }) => before_ms.join(" / ")],
    ["during", ({ during_ms }) => during_ms.join(" / ")],
    ["p99, times", ({ times }) => times, `≤ ${GOAL.times}`],
    [
      "errors alone, during",
      (one) => [one.errors_before, one.errors].map(countOf).join(", "),
      "none",
    ],
    [
      "p99 of /v1/models alone, during, ms",
      ({ observer_p99_ms }) => observer_p99_ms.join(", "),
      `< ${GOAL.observer_p99_ms}`,
    ],
    ["slowest upload to searchable alone, during, ms", ({ ready_ms }) => ready_ms.join(", ")],
    [
      "memory before, most, after, MB",
      ({ rss_mb: { before, most, after } }) => [before, most, after ?? "none"].join(", "),
      "after ≤ before + 10%",
    ],
    ["prompt again after, s", (one) => one.recovered_seconds ?? (one.has_died ? "ended" : "never")],
    ["misses", (one) => missesOf(one).join(", ") || "none"],
  ];

function report(measured: readonly Measured[]): { table: string; result: object } {
  const attacks = measured.map(summaryOf);
  const rows = attacks.map((one) => COLUMNS.map(([, cell]) => cell(one)));
  const goals = COLUMNS.map(([, , goal = ""]) => goal);
  const header = COLUMNS.map(([name]) => name);
  return {
    table: toTable(header, [...rows, goals]),
    result: { seconds: SECONDS, goal: GOAL, attacks },
  };
}

function listed(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} × ${name}`)
    .join(", ");
}

function countOf(errors: Record<string, number>): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0);
}
