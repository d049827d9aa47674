import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { diffSchema } from "@/lib/testing/schema-diff";
import { execute } from "./client";
import { migrate } from "./migrate";

/** With the product's own, which the database has. */
async function folderWith(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp("prisma/migrations", folder, { recursive: true });
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, "migration.sql"), sql);
  }
  return folder;
}

describe("migrations", () => {
  it("are applied once, in order, and recorded as prisma migrate deploy does", async () => {
    expect(await migrate()).toEqual([]);
    const folder = await folderWith({
      "20990102_b": "INSERT INTO migrate_probe VALUES (2);",
      "20990101_a": "CREATE TABLE migrate_probe (id int); INSERT INTO migrate_probe VALUES (1);",
    });
    expect(await migrate(folder)).toEqual(["20990101_a", "20990102_b"]);
    expect(await migrate(folder)).toEqual([]);
    const { rows } = await execute(
      "SELECT migration_name, checksum, applied_steps_count, finished_at FROM _prisma_migrations WHERE migration_name = $1",
      ["20990102_b"],
    );
    const checksum = createHash("sha256")
      .update("INSERT INTO migrate_probe VALUES (2);")
      .digest("hex");
    expect(rows).toMatchObject([
      { checksum, applied_steps_count: 1, finished_at: expect.any(Date) },
    ]);
    await execute("DROP TABLE migrate_probe");
    await execute("DELETE FROM _prisma_migrations WHERE migration_name LIKE '2099%'");
  });

  it("are rejected if their SQL changed after they were applied", async () => {
    const name = "20990103_changed";
    await migrate(await folderWith({ [name]: "SELECT 1;" }));
    await expect(migrate(await folderWith({ [name]: "SELECT 2;" }))).rejects.toThrow(
      /changed after it was applied/,
    );
    await execute("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
  });

  it("are rejected if one started and never finished", async () => {
    const name = "20990105_begun";
    await execute(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, 'x', $1)",
      [name],
    );
    await expect(migrate(await folderWith({ [name]: "SELECT 1;" }))).rejects.toThrow(
      /started and never finished/,
    );
    await execute("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
  });

  it.each([
    ["20990106_newer", /newer version has changed this database \(20990106_newer\)/],
    ["20200101_older", /is older than 20261122000000_init/],
  ])("are refused on a database that another version made: %s", async (name, sentence) => {
    await execute(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES ($1, 'x', $1, now())`,
      [name],
    );
    await expect(migrate()).rejects.toThrow(sentence);
    await execute("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
    expect(await migrate()).toEqual([]);
  });

  it("are refused on a database that something else made", async () => {
    await execute("ALTER TABLE _prisma_migrations RENAME TO kept");
    await expect(migrate()).rejects.toThrow("a table 'account' that Footnote didn't create");
    await execute("DROP TABLE IF EXISTS _prisma_migrations");
    await execute("ALTER TABLE kept RENAME TO _prisma_migrations");
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    "let requests go on while another session's transaction holds them up",
    async () => {
      await execute("CREATE TABLE migrate_held (id int)");
      const other = new pg.Client({ connectionString: process.env.DATABASE_URL });
      await other.connect();
      await other.query("BEGIN");
      await other.query("SELECT * FROM migrate_held");
      const folder = await folderWith({
        "20990107_held": "ALTER TABLE migrate_held ADD more int;",
      });
      const migrating = migrate(folder);
      await vi.waitFor(async () => {
        const { rows } = await execute(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE migrate_held%'",
        );
        expect(rows).toHaveLength(1);
      }, 10_000);
      // Behind the migration it would wait for as long as the other session does.
      await execute("SELECT * FROM migrate_held");
      await other.query("COMMIT");
      await other.end();
      expect(await migrating).toEqual(["20990107_held"]);
      await execute("DROP TABLE migrate_held");
      await execute("DELETE FROM _prisma_migrations WHERE migration_name = '20990107_held'");
    },
    60_000,
  );

  it.runIf(process.env.TEST_DATABASE_URL)(
    "and the rest of setup can run in three processes at once on a fresh server",
    async () => {
      const name = `${process.env.FOOTNOTE_TEST_RUN}fresh`;
      await execute(`CREATE DATABASE "${name}"`);
      const url = new URL(process.env.DATABASE_URL ?? "");
      url.pathname = `/${name}`;
      const codes = await Promise.all(
        [1, 2, 3].map(async () => {
          const child = spawn(
            process.execPath,
            ["--conditions=react-server", "--import", "tsx", "scripts/setup.ts"],
            {
              env: { ...process.env, DATABASE_URL: url.href },
              stdio: ["ignore", "ignore", "inherit"],
            },
          );
          return (await once(child, "exit"))[0];
        }),
      );
      expect(codes).toEqual([0, 0, 0]);
    },
    60_000,
  );

  it("are rolled back if they fail", async () => {
    const folder = await folderWith({
      "20990104_bad": "CREATE TABLE half_made (id int); SELECT nonsense;",
    });
    await expect(migrate(folder)).rejects.toThrow();
    const { rows } = await execute("SELECT to_regclass('half_made') AS found");
    expect(rows).toEqual([{ found: null }]);
  });

  it("produce the schema that schema.prisma describes", async () => {
    const diff = await diffSchema(await migratedDatabase(), "database");
    expect(diff.replace(/^--.*$/gm, "").trim()).toBe("");
  }, 120_000);
});

/** An embedded database with only the migrations: the engine can't read a server's catalog through its driver. */
async function migratedDatabase(): Promise<SqlMigrationAwareDriverAdapterFactory> {
  const pglite = await PGlite.create({ extensions: { vector } });
  for (const file of globSync("prisma/migrations/*/migration.sql").sort()) {
    await pglite.exec(readFileSync(file, "utf8"));
  }
  return new PrismaPGlite(pglite) as unknown as SqlMigrationAwareDriverAdapterFactory;
}
