import "server-only";

import { readdir } from "node:fs/promises";
import path from "node:path";
import { query } from "@/lib/platform/db/client";

export interface MigrationState {
  /** Those of this version that the database has not; every one of them on a new database. */
  pending: string[];
  /** Those that only other versions have. */
  unknown: string[];
}

export async function readMigrationState(): Promise<MigrationState> {
  const entries = await readdir(path.resolve("prisma/migrations"), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const [table] = await query<{ is_there: boolean }>(
    "background_has_migrations",
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS is_there",
  );
  const applied = table?.is_there
    ? await query<{ migration_name: string }>(
        "background_applied_migrations",
        "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
      )
    : [];
  const done = applied.map((row) => row.migration_name);
  return {
    pending: names.filter((name) => !done.includes(name)).sort(),
    unknown: done.filter((name) => !names.includes(name)).sort(),
  };
}
