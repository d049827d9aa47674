import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { PGlite, type Transaction as PGliteTransaction } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { type Copy, embeddedCopy, serverCopy } from "./copy";
import { embeddedDataDir, env } from "./env";
import { lockFolder } from "./folder-lock";
import { PrismaClient } from "./generated/prisma/client";
import { log } from "./log";

/** A row as both drivers give it: int8 is a bigint, timestamptz a Date, json parsed, arrays arrays. */
export type Row = Record<string, unknown>;

/** Runs one statement. `name` is unique per text: on a server it is prepared once per connection. */
export type Query = <T extends Row = Row>(
  name: string,
  text: string,
  values?: unknown[],
) => Promise<T[]>;

/** Where statements run: the pool, or one open transaction. */
export interface Session {
  query: Query;
  /** Runs many statements without parameters. */
  exec(text: string): Promise<void>;
  /** One unnamed statement, such as a library makes. */
  execute(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** One open transaction. */
export interface Transaction extends Session {
  copy: Copy;
}

interface Driver extends Session {
  queryUntil: typeof queryUntil;
  queryWithin: typeof queryWithin;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  prisma: PrismaClient;
  close(): Promise<void>;
}

const INT8 = 20;

/** What a server says of a transaction that another one crossed: serialization_failure, deadlock_detected. */
const CROSSED = new Set(["40001", "40P01"]);
const TRANSACTION_TRIES = 5;
const RETRY_MS = 20;

// Next bundles routes, pages and instrumentation apart; the connection must be one per process.
const shared = globalThis as typeof globalThis & { footnoteDriver?: Driver };

function driver(): Driver {
  shared.footnoteDriver ??= env.DATABASE_URL
    ? openServer(env.DATABASE_URL)
    : openEmbedded(embeddedDataDir ?? "memory://");
  return shared.footnoteDriver;
}

/** Prisma's client, for all but hot paths. */
export function db(): PrismaClient {
  return driver().prisma;
}

/** One prepared statement, for hot paths and for what Prisma cannot say. */
export const query: Query = (name, text, values) => driver().query(name, text, values);

/**
 * As `query`, until the signal ends: a server is then told to cancel the statement. The embedded
 * database runs one statement at a time on this thread, so there it is only not begun.
 */
export function queryUntil<T extends Row = Row>(
  signal: AbortSignal,
  ...statement: [name: string, text: string, values?: unknown[]]
): Promise<T[]> {
  return driver().queryUntil<T>(signal, ...statement);
}

/**
 * Runs `work` in one transaction. Inside it only `tx` may be used: the embedded database has one
 * connection. A server may have it run again from its start, after another transaction crossed it.
 */
export function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return driver().transaction(work);
}

export function execute(text: string, values?: unknown[]): Promise<{ rows: Row[] }> {
  return driver().execute(text, values);
}

/**
 * As `query`, but given up after so many milliseconds, with its connection: one that died unheard would
 * otherwise be waited for as long as TCP does.
 */
export function queryWithin<T extends Row = Row>(
  timeoutMs: number,
  ...statement: [name: string, text: string, values?: unknown[]]
): Promise<T[]> {
  return driver().queryWithin<T>(timeoutMs, ...statement);
}

export async function closeDatabase(): Promise<void> {
  await shared.footnoteDriver?.close();
  delete shared.footnoteDriver;
}

/**
 * pgvector's index gives at most ef_search rows unless it may go on, 40 by default, and each search asks
 * for 100; a filter takes some of those away. Compiling a statement takes longer than any search.
 */
const SESSION_SETTINGS =
  "SET hnsw.ef_search = 200; SET hnsw.iterative_scan = relaxed_order; SET jit = off";

function openServer(connectionString: string): Driver {
  const pool = new pg.Pool({
    connectionString,
    max: env.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: 5000,
    application_name: "footnote",
    keepAlive: true,
    // Not as `options` of the pool: those of the caller's URL would replace them.
    onConnect: async (client) => {
      await client.query(SESSION_SETTINGS);
    },
    types: {
      getTypeParser: (oid, format) => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)),
    },
  });
  // For cancelling alone: it must work when the pool has no connection to spare.
  const cancelling = new pg.Pool({ connectionString, max: 1, application_name: "footnote-cancel" });
  for (const each of [pool, cancelling]) {
    // Without a listener, a connection that the server ends while idle would end the process.
    each.on("error", (cause) => log.error({ err: cause }, "idle database connection failed"));
  }
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    ...serverSession(pool),
    queryUntil: async <T extends Row>(signal: AbortSignal, ...statement: Parameters<Query>) =>
      inCancellable(pool, { signal, cancelling }, (session) => session.query<T>(...statement)),
    queryWithin: async <T extends Row>(timeoutMs: number, ...parts: Parameters<Query>) => {
      const [name, text, values] = parts;
      // pg's types do not know that a statement may have a time limit of its own.
      const statement = { name, text, values, query_timeout: timeoutMs };
      return (await pool.query<T>(statement)).rows;
    },
    transaction: (work) =>
      uncrossed(() => inServerTransaction(pool, (client) => work(serverTransaction(client)))),
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([pool.end(), cancelling.end()]);
    },
  };
}

function serverSession(client: pg.Pool | pg.PoolClient): Session {
  return {
    query: async <T extends Row>(name: string, text: string, values?: unknown[]) =>
      (await client.query<T>({ name, text, values })).rows,
    exec: async (text) => {
      await client.query(text);
    },
    execute: async (text, values) => lastResult(await client.query(text, values)),
  };
}

function serverTransaction(client: pg.PoolClient): Transaction {
  return { ...serverSession(client), copy: serverCopy(client) };
}

/** A connection in hand that breaks ends its statements with errors; unheard, it would end the process too. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  client.on("error", logBroken);
  return client;
}

function release(client: pg.PoolClient, isBroken?: boolean | Error): void {
  client.off("error", logBroken);
  client.release(isBroken);
}

function logBroken(cause: Error): void {
  log.error({ err: cause }, "database connection failed");
}

async function inCancellable<T>(
  pool: pg.Pool,
  { signal, cancelling }: { signal: AbortSignal; cancelling: pg.Pool },
  run: (session: Session) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = await connect(pool);
  const { processID } = client as pg.PoolClient & { processID: number };
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
    cancelling
      .query("SELECT pg_cancel_backend($1)", [processID])
      .catch((cause: unknown) => log.error({ err: cause }, "a statement could not be cancelled"));
  };
  try {
    signal.throwIfAborted();
    signal.addEventListener("abort", cancel, { once: true });
    return await run(serverSession(client));
  } finally {
    signal.removeEventListener("abort", cancel);
    // After a cancellation the connection is thrown away: a late one would hit its next statement.
    release(client, isCancelled);
  }
}

async function uncrossed<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (thrown) {
      const isCrossed = thrown instanceof pg.DatabaseError && CROSSED.has(thrown.code ?? "");
      if (!isCrossed || attempt === TRANSACTION_TRIES) {
        throw thrown;
      }
      await sleep(RETRY_MS * attempt * (1 + Math.random()));
    }
  }
}

async function inServerTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    release(client);
    return result;
  } catch (cause) {
    // A connection that cannot even roll back is thrown away with its transaction.
    await client.query("ROLLBACK").then(
      () => release(client),
      (broken: Error) => release(client, broken),
    );
    throw cause;
  }
}

function openEmbedded(dataDir: string): Driver {
  const lock = dataDir.startsWith("memory://") ? null : lockFolder(dataDir);
  const pglite = new PGlite({ dataDir, extensions: { vector } });
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite) });
  return {
    ...embeddedSession(pglite),
    queryUntil: async <T extends Row>(signal: AbortSignal, ...statement: Parameters<Query>) => {
      signal.throwIfAborted();
      return embeddedSession(pglite).query<T>(...statement);
    },
    // In this process: there is no connection to lose.
    queryWithin: (_timeoutMs, ...statement) => embeddedSession(pglite).query(...statement),
    execute: async (text, values) => {
      try {
        return await embeddedSession(pglite).execute(text, values);
      } catch (cause) {
        // A library's script that fails between its BEGIN and COMMIT would leave the only connection in there.
        await pglite.exec("ROLLBACK");
        throw cause;
      }
    },
    transaction: (work) => pglite.transaction((tx) => work(embeddedTransaction(tx))),
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await pglite.close();
      lock?.close();
    },
  };
}

function embeddedSession(client: Pick<PGlite, "query" | "exec"> | PGliteTransaction): Session {
  const options = { parsers: { [INT8]: BigInt } };
  return {
    query: async <T extends Row>(_name: string, text: string, values?: unknown[]) =>
      (await client.query<T>(text, values, options)).rows,
    exec: async (text) => {
      await client.exec(text);
    },
    execute: async (text, values) =>
      values?.length ? client.query<Row>(text, values) : lastResult(await client.exec(text)),
  };
}

function embeddedTransaction(tx: PGliteTransaction): Transaction {
  return { ...embeddedSession(tx), copy: embeddedCopy(tx) };
}

function lastResult<T extends { rows: Row[] }>(results: T | T[]): { rows: Row[] } {
  return (Array.isArray(results) ? results.at(-1) : results) ?? { rows: [] };
}
