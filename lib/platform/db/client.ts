import "server-only";

import { finished } from "node:stream/promises";
import { PGlite, type Transaction as PGliteTransaction, types } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { PrismaClient } from "@/lib/generated/prisma/client";
import { directDatabaseUrl, embeddedDataDir, env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import { openReplica, REPLICA_CHECK_MS, type Replica, WAL_POSITION } from "./replica";
import { RowSecurity, withOwnerRole } from "./row-security";
import { openPool } from "./server-pool";
import { asSystem, currentTenant, runAsTenant } from "./tenant-context";
import { lockDataDir, TenantPGlite } from "./tenant-pglite";
import type { TenantClient } from "./tenant-pool";
import { createStatementNamer, withTenantScope } from "./tenant-prisma";
import { connectionOptions, isBackgroundWork } from "./timeouts";
import { retryOnSerializationFailure, withCancellation, withTransaction } from "./transaction";

/** A row, alike in both drivers: int8 is a bigint, timestamptz a Date, json parsed. */
export type Row = Record<string, unknown>;

/** Runs one statement. `name` must be unique per text: a server prepares it once per connection. */
export type Query = <T extends Row = Row>(
  name: string,
  text: string,
  values?: unknown[],
) => Promise<T[]>;

/** Where statements run: the pool, or one open transaction. */
export interface Session {
  query: Query;
  /** Runs a script of statements without parameters. */
  exec(text: string): Promise<void>;
  /** Runs one unnamed statement, such as a library's. */
  execute(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

export interface Transaction extends Session {
  /** Inserts rows in PostgreSQL's binary COPY format into `target`, such as `chunk (id, text)`. */
  copy(target: string, rows: Buffer<ArrayBuffer>): Promise<void>;
  /** Runs a step on tables that tenants can't reach, such as the queue's. */
  asOwner<T>(work: () => Promise<T>): Promise<T>;
}

interface Driver extends Session {
  queryUntil: typeof queryUntil;
  queryWithin: typeof queryWithin;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  prisma: PrismaClient;
  pool: pg.Pool | null;
  close(): Promise<void>;
}

const drivers = processSingleton(
  "database drivers",
  (): { requests?: Driver; background?: Driver; replica?: Replica } => ({}),
);

function driver(): Driver {
  if (!env.DATABASE_URL) {
    drivers.requests ??= openEmbedded(embeddedDataDir ?? "memory://");
    return drivers.requests;
  }
  const name = isBackgroundWork() ? "background" : "requests";
  drivers[name] ??= openServer();
  return drivers[name];
}

/** Prisma's client, for everything but hot paths. */
export function db(): PrismaClient {
  const { prisma } = driver();
  return currentTenant() === null ? prisma : withTenantScope(prisma);
}

/** Runs one prepared statement, for hot paths and SQL that Prisma can't express. */
export const query: Query = (...statement) => runAsTenant(() => driver().query(...statement));

/**
 * Like `query`, but cancels the statement on the server when the signal aborts. The embedded database runs
 * statements on this thread, so there an aborted one only doesn't start.
 */
export function queryUntil<T extends Row = Row>(
  signal: AbortSignal,
  ...statement: [name: string, text: string, values?: unknown[]]
): Promise<T[]> {
  return runAsTenant(() => driver().queryUntil<T>(signal, ...statement));
}

/**
 * Like `queryUntil`, for what may be some seconds old: on the replica, if there is one and it keeps up, otherwise on the
 * primary.
 */
export async function queryReplica<T extends Row = Row>(
  signal: AbortSignal,
  ...statement: [name: string, text: string, values?: unknown[]]
): Promise<T[]> {
  const rows = await replica()?.query<T>(signal, ...statement);
  return rows ?? queryUntil<T>(signal, ...statement);
}

function replica(): Replica | undefined {
  if (env.DATABASE_URL && env.DATABASE_REPLICA_URL) {
    drivers.replica ??= openReplica(openPool(env.DATABASE_REPLICA_URL), readWalPosition);
  }
  return drivers.replica;
}

async function readWalPosition(): Promise<bigint> {
  const read = () =>
    queryWithin<{ position: bigint }>(REPLICA_CHECK_MS, "wal_position", WAL_POSITION);
  const [row] = await asSystem(read);
  return row?.position ?? 0n;
}

/**
 * Runs `work` in one transaction. Use only `tx` inside it: the embedded database has one connection. After a
 * serialization failure or deadlock, `work` runs again from its start.
 */
export function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return runAsTenant(() => driver().transaction(work));
}

export function execute(text: string, values?: unknown[]): Promise<{ rows: Row[] }> {
  return runAsTenant(() => driver().execute(text, values));
}

/** Like `query`, but drops the statement and its connection after a timeout: TCP reports a dead peer much later. */
export function queryWithin<T extends Row = Row>(
  timeoutMs: number,
  ...statement: [name: string, text: string, values?: unknown[]]
): Promise<T[]> {
  return runAsTenant(() => driver().queryWithin<T>(timeoutMs, ...statement));
}

/** Null on the embedded database, which has no pool. */
export function poolFigures(): { total: number; idle: number; waiting: number } | null {
  const { pool } = driver();
  return pool && { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

export async function closeDatabase(): Promise<void> {
  const { requests, background, replica: copy } = drivers;
  await Promise.all([requests?.close(), background?.close(), copy?.close()]);
  delete drivers.requests;
  delete drivers.background;
  delete drivers.replica;
}

function openServer(): Driver {
  const { statementMs } = connectionOptions();
  const pool = openPool(statementMs > 0 ? env.DATABASE_URL : directDatabaseUrl);
  const adapter = new PrismaPg(pool, { statementNameGenerator: createStatementNamer() });
  const prisma = new PrismaClient({ adapter });
  return {
    ...serverSession(pool),
    queryUntil: async <T extends Row>(signal: AbortSignal, ...statement: Parameters<Query>) =>
      withCancellation(pool, signal, (client) => serverSession(client).query<T>(...statement)),
    queryWithin: async <T extends Row>(timeoutMs: number, ...parts: Parameters<Query>) => {
      const [name, text, values] = parts;
      // pg's types lack the per-statement timeout.
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
      await pool.end();
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
  const { tenant, rowSecurity } = client as unknown as TenantClient;
  const isRestricted = tenant !== null && rowSecurity.isEnabled === true;
  return {
    ...serverSession(client),
    copy: async (target, rows) => {
      const stream = client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary)`));
      stream.end(rows);
      await finished(stream);
    },
    asOwner: (step) => (isRestricted ? withOwnerRole((text) => client.query(text), step) : step()),
  };
}

function openEmbedded(dataDir: string): Driver {
  const lock = dataDir.startsWith("memory://") ? null : lockDataDir(dataDir);
  const embedded = new PGlite({
    dataDir,
    extensions: { vector },
    // Its own conversion of bytes takes a second per megabyte, and blocks the process.
    serializers: { [types.BYTEA]: (bytes) => bytes },
    parsers: { [types.BYTEA]: (hex) => Buffer.from(hex.slice("\\x".length), "hex") },
  });
  const pglite = new TenantPGlite(embedded, new RowSecurity());
  // The adapter only uses the methods TenantPGlite has.
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite as unknown as PGlite) });
  return {
    ...embeddedSession(pglite),
    queryUntil: async <T extends Row>(signal: AbortSignal, ...statement: Parameters<Query>) => {
      signal.throwIfAborted();
      return embeddedSession(pglite).query<T>(...statement);
    },
    // In-process: there is no connection to lose.
    queryWithin: (_timeoutMs, ...statement) => embeddedSession(pglite).query(...statement),
    execute: async (text, values) => {
      try {
        return await embeddedSession(pglite).execute(text, values);
      } catch (cause) {
        // A library's script that fails between BEGIN and COMMIT would leave the only connection in a transaction.
        await pglite.exec("ROLLBACK");
        throw cause;
      }
    },
    transaction: (work) =>
      pglite.transaction((tx) =>
        work({
          ...embeddedSession(tx),
          copy: async (target, rows) => {
            const blob = new Blob([rows]);
            await tx.query(`COPY ${target} FROM '/dev/blob' (FORMAT binary)`, [], { blob });
          },
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
  const options = { parsers: { [types.INT8]: BigInt } };
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
