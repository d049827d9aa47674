import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import {
  FakeStripe,
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
} from "@/lib/testing/fake-stripe-server";
import { expectMoneyAddsUp, prepare, readDemo, root, until } from "../faults/product";
import { startWorker } from "../faults/worker";
import { freePort, type RunningServer, startServer } from "../product";
import { readBooks } from "./books";
import { startPair } from "./database";
import { type Ended, type Load, startLoad } from "./load";
import { Debian } from "./programs";
import { startCaddy, startDatabaseProxy, startPgbouncer, startValkey } from "./proxies";
import { PASSWORD, SERVER_NAMES } from "./topology";

const CALM_MS = 8000;
const DOWN_MS = 3000;
const FULL_MS = 8000;
/** What a failover manager needs to be sure that the primary is gone. */
const DETECTION_MS = 3000;
const RECOVERY_MS = 30_000;
/** Nothing but answers for this long counts as back to normal. */
const NORMAL_MS = 3000;
const JOBS_MS = 120_000;
/** How long the product repeats a settlement that it can't confirm. */
const CONFIRM_MS = 130_000;
const PRIMARY_MB = 1200;
const SECRET = "one secret for all servers of the cluster";
/** Answered by the product itself, with a sentence and retry-after. */
const DECIDED = [
  "service_unavailable",
  "retrieval_unavailable",
  "rate_limit_exceeded",
  "upstream_error",
  "timeout",
];

const isPossible = process.getuid?.() === 0 && existsSync("/usr/sbin/debootstrap");

it.runIf(isPossible)("keeps its promises through a failover", { timeout: 900_000 }, async () => {
  const cluster = await startCluster();
  const { load, debian, infrastructure } = cluster;
  const rows: object[] = [];
  const fault = async (name: string, work: () => Promise<void>) => {
    const startedAt = performance.now();
    await work();
    const repairedAt = performance.now();
    const normalAt = await backToNormal(load, repairedAt, name);
    rows.push(rowOf(name, load.ended, { startedAt, repairedAt, normalAt }));
    console.table(rows.slice(-1));
  };
  const startedAt = performance.now();
  await sleep(CALM_MS);
  const calm = { startedAt, repairedAt: startedAt + CALM_MS, normalAt: startedAt + CALM_MS };
  rows.push(rowOf("nothing", load.ended, calm));
  expect(await countScans(cluster.replicaUrl), "scans on the standby").toBeGreaterThan(0);

  await fault("a product process killed", async () => {
    await cluster.servers[1]?.kill();
    await sleep(DOWN_MS);
    cluster.servers[1] = await cluster.startOne(1);
  });
  await fault("Valkey killed", async () => {
    await infrastructure.valkey.program.kill();
    await sleep(DOWN_MS);
    infrastructure.valkey.program = await infrastructure.valkey.restart();
  });
  await fault("PgBouncer restarted", async () => {
    await infrastructure.pgbouncer.program.kill();
    infrastructure.pgbouncer.program = await infrastructure.pgbouncer.restart();
  });
  await fault("the primary's disk full", async () => {
    const ballast = debian.outside("primary", "ballast");
    execFileSync("sh", ["-c", `cat /dev/zero > ${ballast} 2>/dev/null || true`]);
    await sleep(FULL_MS);
    rmSync(ballast);
    await infrastructure.primaryAlive();
  });
  await fault("the primary killed, the standby promoted", async () => {
    await infrastructure.pair.primary.kill();
    await sleep(DETECTION_MS);
    await infrastructure.pair.standby.promote();
  });

  await sleep(CALM_MS);
  await load.stop();
  console.table(rows);
  await expectNothingLost(cluster);
});

type Cluster = Awaited<ReturnType<typeof startCluster>>;

async function startCluster() {
  const folder = path.resolve(process.env.FOOTNOTE_CLUSTER_DIR ?? "/tmp/footnote-cluster");
  const debianRoot = execFileSync(path.join(root, "scripts/postgres.sh"), ["root", folder], {
    cwd: root,
    encoding: "utf8",
  });
  const debian = new Debian(debianRoot.trim(), `/var/lib/postgresql/run-${process.pid}`);
  onTestFinished(async () => {
    await debian.killAll();
    execFileSync("umount", [debian.outside("primary")]);
    rmSync(debian.outside(), { recursive: true, force: true });
  });
  mountPrimary(debian);
  const pair = await startPair(debian, `${debian.folder}/primary/data`);
  const ports = await Promise.all(SERVER_NAMES.map(() => freePort()));
  const database = await startDatabaseProxy(debian, [pair.primary, pair.standby]);
  const pgbouncer = await startPgbouncer(debian, database.port);
  const valkey = await startValkey(debian);
  const proxy = await startCaddy(debian, ports);
  const infrastructure = {
    pair,
    pgbouncer,
    valkey,
    primaryAlive: async () => {
      const isAlive = await isAnswering(pair.primary.url);
      if (!isAlive) {
        await pair.primary.kill();
        pair.primary = await pair.restart(pair.primary);
      }
    },
  };
  const stripe = await FakeStripe.start();
  onTestFinished(() => stripe.close());
  const directUrl = databaseUrlAt(database.port);
  const replicaUrl = pair.standby.url;
  const url = `http://127.0.0.1:${proxy.port}`;
  const options = await prepare("failover", {
    DATABASE_DIRECT_URL: directUrl,
    DATABASE_REPLICA_URL: replicaUrl,
    REDIS_URL: `redis://127.0.0.1:${valkey.program.port}`,
    RUN_JOBS: "false",
    TRUSTED_PROXIES: "1",
    NEXTAUTH_SECRET: SECRET,
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.url,
    LOG_LEVEL: "warn",
  });
  options.databaseUrl = databaseUrlAt(pgbouncer.program.port);
  const startOne = async (index: number): Promise<RunningServer> => {
    const server = await startServer({
      ...options,
      port: ports[index] ?? 0,
      logFile: path.join(folder, `server-${index}.log`),
    });
    onTestFinished(() => server.kill().catch(() => {}));
    return server;
  };
  const servers = [await startOne(0)];
  servers.push(...(await Promise.all(ports.slice(1).map((_, index) => startOne(index + 1)))));
  await startWorker({ ...options, databaseUrl: directUrl });
  const { test_key: key } = await readDemo(options);
  const load = startLoad({ url, key, stripe });
  return { debian, infrastructure, servers, startOne, options, directUrl, replicaUrl, load };
}

function databaseUrlAt(port: number): string {
  return `postgres://footnote:${PASSWORD}@127.0.0.1:${port}/footnote`;
}

/** A file system of its own, so that the primary's disk can be filled. */
function mountPrimary(debian: Debian): void {
  const folder = debian.outside("primary");
  mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${PRIMARY_MB}m,mode=777`, "tmpfs", folder]);
}

/** How often a server's own statements have read tables. */
async function countScans(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "SELECT sum(seq_scan + idx_scan)::int AS scans FROM pg_stat_user_tables",
  );
  await client.end();
  return rows[0].scans;
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** When the first stretch of NORMAL_MS began in which every request was answered. */
async function backToNormal(load: Load, since: number, name: string): Promise<number> {
  const failuresOf = () =>
    load.ended.filter(({ at, ms, end }) => ms > 0 && at + ms >= since && end !== "answered");
  try {
    return await until(`back to normal after ${name}`, RECOVERY_MS + NORMAL_MS, () => {
      const last = Math.max(since, ...failuresOf().map(({ at, ms }) => at + ms));
      return performance.now() - last >= NORMAL_MS && last;
    });
  } catch (cause) {
    console.table(failuresOf().slice(-20));
    throw cause;
  }
}

interface Times {
  startedAt: number;
  repairedAt: number;
  normalAt: number;
}

function rowOf(fault: string, all: readonly Ended[], { startedAt, repairedAt, normalAt }: Times) {
  const during = all.filter(({ at, ms }) => ms > 0 && at + ms >= startedAt && at <= normalAt);
  const count = (end: Ended["end"]) => during.filter((each) => each.end === end).length;
  const codes = Map.groupBy(
    during.filter(({ end }) => end !== "answered"),
    ({ status, code }) => `${status} ${code ?? "no end"}`,
  );
  return {
    fault,
    answered: count("answered"),
    refused: count("refused"),
    cut: count("cut"),
    "until repaired, s": seconds(repairedAt - startedAt),
    "then to normal, s": seconds(normalAt - repairedAt),
    "slowest, s": seconds(Math.max(0, ...during.map(({ ms }) => ms))),
    errors: [...codes].map(([code, { length }]) => `${length} × ${code}`).join(", "),
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

async function expectNothingLost({
  load,
  options,
  directUrl,
  infrastructure,
}: Cluster): Promise<void> {
  const database = new pg.Client(infrastructure.pair.standby.url);
  await database.connect();
  onTestFinished(() => database.end());
  await until("the end of every job", JOBS_MS, async () => {
    const { rows } = await database.query(
      "SELECT 1 FROM job WHERE status IN ('queued', 'processing')",
    );
    return rows.length === 0;
  });
  await until("all holds closed", RECOVERY_MS, async () => {
    const { rows } = await database.query("SELECT 1 FROM hold WHERE status = 'open'");
    return rows.length === 0;
  });
  // A charge whose commit the old primary took to its grave is repeated until it is on disk.
  const books = await until("the books", CONFIRM_MS, async () => {
    const found = await readBooks(database, load);
    return found.unpaid.length === 0 && found;
  }).catch(() => readBooks(database, load));
  expect(books).toEqual({
    unpaid: [],
    charged_failures: [],
    entries_without_a_record: 0,
    lost_jobs: [],
    failed_jobs: [],
    credits: load.paid.length,
    wrong_balances: 0,
  });
  const undecided = load.ended.filter(
    ({ end, code }) => end === "refused" && !DECIDED.includes(code ?? ""),
  );
  expect(undecided).toEqual([]);
  expectMoneyAddsUp({ ...options, databaseUrl: directUrl });
}
