import "server-only";

import { finished } from "node:stream/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { PrismaClient } from "@/lib/generated/prisma/client";
import { directDatabaseUrl, embeddedDataDir, env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import { openEmbeddedDatabase } from "./embedded";
import { openServerPool } from "./pool";
import { openReplica, REPLICA_CHECK_MS, type Replica, WAL_POSITION } from "./replica";
import { withOwnerRole } from "./row-security";
import { asSystem, currentTenant, runAsTenant } from "./tenant-context";
import type { TenantClient } from "./tenant-pool";
import { createStatementNamer, withTenantScope } from "./tenant-prisma";
import { connectionOptions, isBackgroundWork } from "./timeouts";
import {
  retryOnSerializationFailure,
  withCancellation,
  withClient,
  withTransaction,
} from "./transaction";

/** A row: int8 is a bigint, timestamptz a Date, json parsed. */
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
  pool: pg.Pool;
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
 * Like `query`, but cancels the statement on the server when the signal aborts. The embedded database can't cancel one
 * that runs; there, an aborted signal only keeps it from starting.
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
    drivers.replica ??= openReplica(openServerPool(env.DATABASE_REPLICA_URL), readWalPosition);
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

export function poolFigures(): { total: number; idle: number; waiting: number } {
  const { pool } = driver();
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

export async function closeDatabase(): Promise<void> {
  const { requests, background, replica: copy } = drivers;
  await Promise.all([requests?.close(), background?.close(), copy?.close()]);
  delete drivers.requests;
  delete drivers.background;
  delete drivers.replica;
}

type Copy = Transaction["copy"];

function openServer(): Driver {
  const { statementMs } = connectionOptions();
  const pool = openServerPool(statementMs > 0 ? env.DATABASE_URL : directDatabaseUrl);
  return {
    ...openDriver(pool),
    queryUntil: async <T extends Row>(signal: AbortSignal, ...statement: Parameters<Query>) =>
      withCancellation(pool, signal, (client) => session(client).query<T>(...statement)),
    queryWithin: async <T extends Row>(timeoutMs: number, ...parts: Parameters<Query>) => {
      const [name, text, values] = parts;
      // pg's types lack the per-statement timeout.
      const statement = { name, text, values, query_timeout: timeoutMs };
      return (await pool.query<T>(statement)).rows;
    },
  };
}

function openEmbedded(dataDir: string): Driver {
  const { pool, copy, close } = openEmbeddedDatabase(dataDir);
  const driver = openDriver(pool, copy);
  return {
    ...driver,
    queryUntil: async <T extends Row>(signal: AbortSignal, ...statement: Parameters<Query>) => {
      signal.throwIfAborted();
      return driver.query<T>(...statement);
    },
    queryWithin: (_timeoutMs, ...statement) => driver.query(...statement),
    close: async () => {
      await driver.close();
      await close();
    },
  };
}

function openDriver(pool: pg.Pool, copy?: Copy): Omit<Driver, "queryUntil" | "queryWithin"> {
  const adapter = new PrismaPg(pool, { statementNameGenerator: createStatementNamer() });
  const prisma = new PrismaClient({ adapter });
  return {
    ...session(pool),
    execute: (text, values) =>
      withClient(pool, async (client) => lastResult(await client.query(text, values))),
    transaction: (work) =>
      retryOnSerializationFailure(() =>
        withTransaction(pool, (client) => work(openTransaction(client, copy))),
      ),
    prisma,
    pool,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function session(client: pg.Pool | pg.PoolClient): Session {
  return {
    query: async <T extends Row>(name: string, text: string, values?: unknown[]) =>
      (await client.query<T>({ name, text, values })).rows,
    exec: async (text) => {
      await client.query(text);
    },
    execute: async (text, values) => lastResult(await client.query(text, values)),
  };
}

function openTransaction(client: pg.PoolClient, copy?: Copy): Transaction {
  const { tenant, rowSecurity } = client as unknown as TenantClient;
  const isRestricted = tenant !== null && rowSecurity.isEnabled === true;
  return {
    ...session(client),
    copy: copy ?? ((target, rows) => copyRows(client, target, rows)),
    asOwner: (step) => (isRestricted ? withOwnerRole((text) => client.query(text), step) : step()),
  };
}

async function copyRows(client: pg.PoolClient, ...[target, rows]: Parameters<Copy>): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary)`));
  stream.end(rows);
  await finished(stream);
}

function lastResult<T extends { rows: Row[] }>(results: T | T[]): { rows: Row[] } {
  return (Array.isArray(results) ? results.at(-1) : results) ?? { rows: [] };
}
