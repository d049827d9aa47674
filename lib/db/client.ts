import "server-only";

import { PGlite, type Transaction as PGliteTransaction } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { embeddedDataDir, env } from "@/lib/env";
import { PrismaClient } from "@/lib/generated/prisma/client";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/singleton";
import { type Copy, embeddedCopy, serverCopy } from "./bulk-copy";
import { lockDataDir } from "./data-dir-lock";
import { createStatementNamer } from "./prepared-statements";
import { RowSecurity, withOwnerRole } from "./row-security";
import type { TenantClient } from "./tenant-client";
import { currentTenant, runAsTenant } from "./tenant-context";
import { TenantPGlite } from "./tenant-pglite";
import { TenantPool } from "./tenant-pool";
import { withTenantScope } from "./tenant-prisma";
import {
  type ConnectionOptions,
  connectionsFor,
  isBackgroundWork,
  statementTimeout,
} from "./timeouts";
import { retryOnSerializationFailure, withCancellation, withTransaction } from "./transaction";

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
  /** Does a step that needs tables no tenant has, such as the queue's. */
  asOwner<T>(work: () => Promise<T>): Promise<T>;
}

interface Driver extends Session {
  queryUntil: typeof queryUntil;
  queryWithin: typeof queryWithin;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  prisma: PrismaClient;
  /** Null on the embedded database, which has no pool. */
  pool: pg.Pool | null;
  close(): Promise<void>;
}

const INT8 = 20;

const drivers = processSingleton(
  "database drivers",
  (): { requests?: Driver; background?: Driver } => ({}),
);

function driver(): Driver {
  if (!env.DATABASE_URL) {
    drivers.requests ??= openEmbedded(embeddedDataDir ?? "memory://");
    return drivers.requests;
  }
  const isBeside = isBackgroundWork();
  const name = isBeside ? "background" : "requests";
  drivers[name] ??= openServer(env.DATABASE_URL, connectionsFor(isBeside));
  return drivers[name];
}

/** Prisma's client, for all but hot paths. */
export function db(): PrismaClient {
  const { prisma } = driver();
  return currentTenant() === null ? prisma : withTenantScope(prisma);
}

/** One prepared statement, for hot paths and for what Prisma cannot say. */
export const query: Query = (...statement) => runAsTenant(() => driver().query(...statement));

/**
 * As `query`, until the signal ends: a server is then told to cancel the statement. The embedded
 * database runs one statement at a time on this thread, so there it is only not begun.
 */
export function queryUntil<T extends Row = Row>(
  signal: AbortSignal,
  ...statement: [name: string, text: string, values?: unknown[]]
): Promise<T[]> {
  return runAsTenant(() => driver().queryUntil<T>(signal, ...statement));
}

/**
 * Runs `work` in one transaction. Inside it only `tx` may be used: the embedded database has one
 * connection. A server may have it run again from its start, after another transaction crossed it.
 */
export function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return runAsTenant(() => driver().transaction(work));
}

export function execute(text: string, values?: unknown[]): Promise<{ rows: Row[] }> {
  return runAsTenant(() => driver().execute(text, values));
}

/**
 * As `query`, but given up after so many milliseconds, with its connection: one that died unheard would
 * otherwise be waited for as long as TCP does.
 */
export function queryWithin<T extends Row = Row>(
  timeoutMs: number,
  ...statement: [name: string, text: string, values?: unknown[]]
): Promise<T[]> {
  return runAsTenant(() => driver().queryWithin<T>(timeoutMs, ...statement));
}

/** How many connections the pool has, how many of them are free, and how much waits for one. */
export function poolFigures(): { total: number; idle: number; waiting: number } | null {
  const { pool } = driver();
  return pool && { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

export async function closeDatabase(): Promise<void> {
  await Promise.all([drivers.requests?.close(), drivers.background?.close()]);
  delete drivers.requests;
  delete drivers.background;
}

/**
 * pgvector's index gives at most ef_search rows unless it may go on, 40 by default, and each search asks
 * for 100; a filter takes some of those away. Compiling a statement takes longer than any search.
 */
const SESSION_SETTINGS =
  "SET hnsw.ef_search = 200; SET hnsw.iterative_scan = relaxed_order; SET jit = off";

function openServer(
  connectionString: string,
  { size, waitMs, statementMs }: ConnectionOptions,
): Driver {
  const limit = statementTimeout(statementMs);
  const config: pg.PoolConfig = {
    connectionString,
    max: size,
    connectionTimeoutMillis: waitMs,
    ...limit.ofPool,
    application_name: "footnote",
    keepAlive: true,
    // Not as `options` of the pool: those of the caller's URL would replace them.
    onConnect: async (client) => {
      await client.query(SESSION_SETTINGS + limit.ofSession);
    },
    types: {
      getTypeParser: (oid, format) => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)),
    },
  };
  const pool = new TenantPool(config, new RowSecurity());
  // For cancelling alone: it must work when the pool has no connection to spare.
  const cancelling = new pg.Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    application_name: "footnote-cancel",
  });
  for (const each of [pool, cancelling]) {
    // Without a listener, a connection that the server ends while idle would end the process.
    each.on("error", (cause) => log.error({ err: cause }, "idle database connection failed"));
  }
  const adapter = new PrismaPg(pool, { statementNameGenerator: createStatementNamer() });
  const prisma = new PrismaClient({ adapter });
  return {
    ...serverSession(pool),
    queryUntil: async <T extends Row>(signal: AbortSignal, ...statement: Parameters<Query>) =>
      withCancellation(pool, { signal, cancelling }, (client) =>
        serverSession(client).query<T>(...statement),
      ),
    queryWithin: async <T extends Row>(timeoutMs: number, ...parts: Parameters<Query>) => {
      const [name, text, values] = parts;
      // pg's types do not know that a statement may have a time limit of its own.
      const statement = { name, text, values, query_timeout: timeoutMs };
      return (await pool.query<T>(statement)).rows;
    },
    transaction: (work) =>
      retryOnSerializationFailure(() =>
        withTransaction(pool, (client) => work(serverTransaction(client))),
      ),
    prisma,
    pool,
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
  const { tenant, rowSecurity: wall } = client as unknown as TenantClient;
  const isBehind = tenant !== null && rowSecurity.isEnabled === true;
  return {
    ...serverSession(client),
    copy: serverCopy(client),
    asOwner: (step) => (isBehind ? withOwnerRole((text) => client.query(text), step) : step()),
  };
}

function openEmbedded(dataDir: string): Driver {
  const lock = dataDir.startsWith("memory://") ? null : lockDataDir(dataDir);
  const embedded = new PGlite({ dataDir, extensions: { vector } });
  const pglite = new TenantPGlite(embedded, new RowSecurity());
  // The adapter asks no more of it than there is.
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite as unknown as PGlite) });
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
    transaction: (work) =>
      pglite.transaction((tx) =>
        work({
          ...embeddedSession(tx),
          copy: embeddedCopy(tx),
          asOwner: (step) =>
            pglite.tenant === null ? step() : withOwnerRole((text) => tx.query(text), step),
        }),
      ),
    prisma,
    pool: null,
    close: async () => {
      await prisma.$disconnect();
      await embedded.close();
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

function lastResult<T extends { rows: Row[] }>(results: T | T[]): { rows: Row[] } {
  return (Array.isArray(results) ? results.at(-1) : results) ?? { rows: [] };
}
