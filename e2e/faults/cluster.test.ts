import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { script } from "../clients/scenario";
import { type RunningServer, startServer } from "../product";
import {
  ask,
  chat,
  expectMoneyAddsUp,
  handbook,
  LEASE_SECONDS,
  type Options,
  openStream,
  prepare,
  readDemo,
  until,
  upload,
} from "./product";
import { startWorker } from "./worker";

const SERVERS = 3;
const WORKERS = 2;
const PER_MINUTE = 120;
const COMPLETIONS = 60;
const STREAMS = 12;
/** The account's limit on open streams. */
const MAX_STREAMS = 9;
const DOCUMENTS = 12;
const WORDS = 3;
const JOBS_MS = 90_000;
const SWEEP_MS = 20_000;

const redisUrl = process.env.TEST_REDIS_URL;

it.runIf(process.env.TEST_DATABASE_URL && redisUrl)(
  "shares limits across three servers and two workers, with exact balances and jobs",
  { timeout: 300_000 },
  async () => {
    const options = await prepare("cluster", {
      REDIS_URL: redisUrl ?? "",
      RUN_JOBS: "false",
      REQUESTS_PER_MINUTE: String(PER_MINUTE),
      MAX_STREAMS_PER_ACCOUNT: String(MAX_STREAMS),
      // Workers detect a dead worker's job by its lock, not by this.
      JOB_HEARTBEAT_SECONDS: "600",
    });
    const servers = await startServers(options);
    const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(options)));
    // The startup check has already used the test key.
    const { live_key: limited, test_key: key } = await readDemo(options);
    const serverOf = (index: number) => servers[index % SERVERS] as RunningServer;
    const database = new pg.Client(options.databaseUrl);
    await database.connect();
    onTestFinished(() => database.end());

    // Requests per minute are counted across servers.
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: PER_MINUTE + 30 }, (_, index) =>
        ask(`${serverOf(index).url}/v1/models`, limited),
      ),
    );
    const counts = Map.groupBy(answers, ({ status }) => status);
    const [accepted, rejected] = [200, 429].map((status) => counts.get(status)?.length ?? 0);
    const sinceMs = performance.now() - startedAt;
    expect(accepted).toBeGreaterThanOrEqual(PER_MINUTE);
    expect(accepted).toBeLessThanOrEqual(PER_MINUTE + Math.ceil((sinceMs / 60_000) * PER_MINUTE));
    expect(rejected).toBe(answers.length - (accepted ?? 0));

    // Open streams are too.
    const long = script({ text: "word ".repeat(40).trim(), pieceMs: 150 });
    const streams = await Promise.allSettled(
      Array.from({ length: STREAMS }, (_, index) => openStream(serverOf(index), key, chat(long))),
    );
    const open = streams.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(open.length).toBe(MAX_STREAMS);

    // Completions and uploads run while a worker is killed.
    const jobs = await Promise.all(
      Array.from({ length: DOCUMENTS }, (_, index) =>
        upload(serverOf(index), key, handbook(index, 30)),
      ),
    );
    const short = script({ text: "word ".repeat(WORDS).trim() });
    const completing = Promise.all(
      Array.from({ length: COMPLETIONS }, (_, index) =>
        ask(`${serverOf(index).url}/v1/chat/completions`, key, chat(short)),
      ),
    );
    await until("a running job", JOBS_MS, async () => {
      const { rows } = await database.query("SELECT 1 FROM job WHERE status = 'processing'");
      return rows.length > 0;
    });
    workers[0]?.kill("SIGKILL");
    expect((await completing).map(({ status }) => status)).toEqual(Array(COMPLETIONS).fill(200));
    expect(await Promise.all(open.map(({ ended }) => ended))).toEqual(open.map(() => "whole"));
    await until("the end of every job", JOBS_MS, async () => {
      const { rows } = await database.query(
        "SELECT 1 FROM job WHERE status IN ('queued', 'processing')",
      );
      return rows.length === 0;
    });
    await until("all holds closed", LEASE_SECONDS * 1000 + SWEEP_MS, async () => {
      const { rows } = await database.query("SELECT 1 FROM hold WHERE status = 'open'");
      return rows.length === 0;
    });

    expect(await readInvariants(database)).toEqual({
      wrong_balances: 0,
      completions: COMPLETIONS,
      completion_micros: COMPLETIONS * WORDS,
      streams: MAX_STREAMS,
      jobs: Array(DOCUMENTS).fill("completed"),
      ingest_charges: jobs.length,
      charges_without_a_record: 0,
    });
    await Promise.all(servers.map(({ stop }) => stop()));
    expectMoneyAddsUp(options);
  },
);

/** The first server creates the database and demo account; all share one folder. */
async function startServers(options: Options): Promise<RunningServer[]> {
  const secret = {
    env: { ...options.env, NEXTAUTH_SECRET: "one secret for all servers of the test" },
  };
  const start = async () => {
    const server = await startServer({ ...options, ...secret });
    onTestFinished(server.stop);
    return server;
  };
  const first = await start();
  return [first, ...(await Promise.all(Array.from({ length: SERVERS - 1 }, start)))];
}

async function readInvariants(database: pg.Client): Promise<object> {
  const read = async (text: string) => (await database.query(text)).rows[0];
  const [balances, completions, streams, charges] = [
    await read(
      `SELECT count(*)::int AS n FROM account a
        WHERE a.balance_micros <> (SELECT coalesce(sum(amount_micros), 0) FROM ledger_entry WHERE account_id = a.id)
           OR a.held_micros <> (SELECT coalesce(sum(amount_micros), 0) FROM hold WHERE account_id = a.id AND status = 'open')
           OR a.balance_micros < 0`,
    ),
    await read(
      `SELECT count(*)::int AS n, sum(cost_micros)::int AS micros FROM usage_record
        WHERE model = 'scripted' AND status = 200 AND NOT (details->>'is_stream')::boolean`,
    ),
    await read(
      `SELECT count(*)::int AS n FROM usage_record
        WHERE model = 'scripted' AND status = 200 AND (details->>'is_stream')::boolean`,
    ),
    await read(
      `SELECT (SELECT count(*)::int FROM usage_record WHERE kind = 'ingest' AND cost_micros > 0) AS ingests,
              (SELECT count(*)::int FROM usage_record WHERE cost_micros > 0) -
              (SELECT count(*)::int FROM ledger_entry WHERE kind = 'usage') AS unmatched`,
    ),
  ];
  const jobs = await database.query("SELECT status FROM job ORDER BY id");
  return {
    wrong_balances: balances.n,
    completions: completions.n,
    completion_micros: completions.micros,
    streams: streams.n,
    jobs: jobs.rows.map(({ status }) => status),
    ingest_charges: charges.ingests,
    charges_without_a_record: charges.unmatched,
  };
}
