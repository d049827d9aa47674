import "server-only";

import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { directDatabaseUrl } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { LOCKS } from "./advisory-lock";
import { type Session, transaction } from "./client";
import { enableRowSecurity } from "./row-security";

const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;

/** Runs `work` while no other process sets up the same database. The embedded database has one process. */
export async function withMigrationLock(work: () => Promise<void>): Promise<void> {
  if (!directDatabaseUrl) {
    return work();
  }
  const client = new pg.Client({
    connectionString: directDatabaseUrl,
    application_name: "footnote-setup",
    keepAlive: true,
  });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCKS.setup]);
    await work();
  } finally {
    await client.end();
  }
}

type Migration = Record<"name" | "sql" | "checksum", string>;

/** Requests queue behind a migration that waits for a lock, so each try is short. */
const LOCK_TIMEOUT_MS = 3000;
const LOCK_PAUSE_MS = 5000;
/** Longer than most dumps take. */
const LOCK_DEADLINE_MS = 60 * 60_000;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Applies pending migrations, each in one transaction, and maintains `_prisma_migrations` the way `prisma migrate
 * deploy` does; then enables row-level security. Waits up to an hour for other sessions' locks. Returns the names
 * applied. Throws a sentence for the operator when the database isn't this version's to change.
 */
export async function migrate(folder = path.resolve("prisma/migrations")): Promise<string[]> {
  const migrations = await readMigrations(folder);
  await transaction(async (tx) => {
    await lock(tx);
    await tx.exec(TABLE);
    await rejectForeignDatabase(tx, migrations);
  });
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await withoutBlocking(migration.name, () => apply(migration))) {
      applied.push(migration.name);
    }
  }
  await withoutBlocking("row-level security", () =>
    transaction(async (tx) => {
      await lock(tx);
      await enableRowSecurity(tx.execute);
    }),
  );
  return applied;
}

async function rejectForeignDatabase(tx: Session, migrations: readonly Migration[]): Promise<void> {
  const rows = await tx.query<{ name: string }>(
    "migrate_applied",
    "SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY 1",
  );
  const known = migrations.map(({ name }) => name);
  const [baseline = ""] = known;
  const unknown = rows.map(({ name }) => name).filter((name) => !known.includes(name));
  if (unknown.some((name) => name < baseline)) {
    throw new Error(
      `This database is older than ${baseline}, the oldest migration that this version can upgrade from. Export its documents with the version that created it, then start with an empty database.`,
    );
  }
  if (unknown.length > 0) {
    throw new Error(
      `A newer version has changed this database (${unknown.join(", ")}). Run that version, or restore a backup from before its upgrade.`,
    );
  }
  const [{ is_taken } = { is_taken: false }] = await tx.query<{ is_taken: boolean }>(
    "migrate_is_taken",
    "SELECT to_regclass('account') IS NOT NULL AS is_taken",
  );
  if (rows.length === 0 && is_taken) {
    throw new Error(
      "This database has a table 'account' that Footnote didn't create. Name an empty database in DATABASE_URL.",
    );
  }
}

/** Tries again while another session holds a lock, so that requests go on between the tries. */
async function withoutBlocking<T>(step: string, change: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + LOCK_DEADLINE_MS;
  for (;;) {
    try {
      return await change();
    } catch (cause) {
      if (sqlState(cause) !== LOCK_NOT_AVAILABLE) {
        throw explain(cause);
      }
      if (Date.now() > deadline) {
        throw new Error(
          `Another session has held a lock that ${step} needs for an hour. End that session, then start again.`,
          { cause },
        );
      }
      log.warn(
        { step },
        "a migration is waiting for a lock that another session holds, such as a dump",
      );
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

function sqlState(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}

/** What an administrator must do about the extension, which the product's own role may not create. */
function explain(cause: unknown): unknown {
  const message = cause instanceof Error ? cause.message : "";
  if (!message.includes('extension "vector"')) {
    return cause;
  }
  return sqlState(cause) === "42501"
    ? new Error(
        "This database user isn't allowed to create the extension pgvector. As an administrator, run CREATE EXTENSION vector; in this database, then start again.",
        { cause },
      )
    : new Error(
        `The database server doesn't have pgvector (${message}). Install it there, such as Debian's postgresql-17-pgvector, then start again.`,
        { cause },
      );
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** One process migrates at a time, and waits for other locks only briefly. */
async function lock(tx: Session): Promise<void> {
  await tx.query("migrate_lock", "SELECT pg_advisory_xact_lock($1)", [LOCKS.migration]);
  await tx.exec(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
}

function apply({ name, sql, checksum }: Migration): Promise<boolean> {
  return transaction(async (tx) => {
    await lock(tx);
    const [done] = await tx.query<{ checksum: string; finished_at: Date | null }>(
      "migrate_find",
      "SELECT checksum, finished_at FROM _prisma_migrations WHERE migration_name = $1 AND rolled_back_at IS NULL",
      [name],
    );
    if (done && !done.finished_at) {
      throw new Error(
        `Migration ${name} was started and never finished. Repair the database, then mark the migration: npx prisma migrate resolve --rolled-back ${name} (or --applied).`,
      );
    }
    if (done && done.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it was applied. If an earlier build made this database, run that build or start with an empty database. Otherwise restore the file and put the change into a new migration.`,
      );
    }
    if (done) {
      return false;
    }
    await tx.exec(sql);
    await tx.query(
      "migrate_record",
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    return true;
  });
}
