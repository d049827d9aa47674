import "server-only";

import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { directDatabaseUrl } from "@/lib/platform/env";
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

/**
 * Applies pending migrations, each in one transaction, and maintains `_prisma_migrations` the way `prisma migrate
 * deploy` does; then enables row-level security. Returns the names applied.
 */
export async function migrate(folder = path.resolve("prisma/migrations")): Promise<string[]> {
  const migrations = await readMigrations(folder);
  await transaction(async (tx) => {
    await lock(tx);
    await tx.exec(TABLE);
  });
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await apply(migration)) {
      applied.push(migration.name);
    }
  }
  await transaction(async (tx) => {
    await lock(tx);
    await enableRowSecurity(tx.execute);
  });
  return applied;
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

async function lock(tx: Session): Promise<void> {
  await tx.query("migrate_lock", "SELECT pg_advisory_xact_lock($1)", [LOCKS.migration]);
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
