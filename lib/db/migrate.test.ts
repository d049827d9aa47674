import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { describe, expect, it, onTestFinished } from "vitest";
import { diffSchema } from "@/lib/testing/schema-diff";
import { execute } from "./client";
import { migrate } from "./migrate";

async function folderWith(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, "migration.sql"), sql);
  }
  return folder;
}

describe("migrations", () => {
  it("are applied once, in order, and noted as prisma migrate deploy would", async () => {
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

  it("are refused when their text was changed after they were applied", async () => {
    const name = "20990103_changed";
    await migrate(await folderWith({ [name]: "SELECT 1;" }));
    await expect(migrate(await folderWith({ [name]: "SELECT 2;" }))).rejects.toThrow(
      /changed after it was applied/,
    );
    await execute("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
  });

  it("are refused when one was begun and never finished", async () => {
    const name = "20990105_begun";
    await execute(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, 'x', $1)",
      [name],
    );
    await expect(migrate(await folderWith({ [name]: "SELECT 1;" }))).rejects.toThrow(
      /begun and never finished/,
    );
    await execute("DELETE FROM _prisma_migrations WHERE migration_name = $1", [name]);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    "and all else of a set-up may be started by three processes at once on a fresh server",
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

  it("leave nothing of one that fails", async () => {
    const folder = await folderWith({
      "20990104_bad": "CREATE TABLE half_made (id int); SELECT nonsense;",
    });
    await expect(migrate(folder)).rejects.toThrow();
    const { rows } = await execute("SELECT to_regclass('half_made') AS found");
    expect(rows).toEqual([{ found: null }]);
  });

  it("give what hangs on a key its account, and take an index that was built before", async () => {
    const files = globSync("prisma/migrations/*/migration.sql").sort();
    const first = files.findIndex((file) => file.includes("_account_keys/"));
    expect(first).toBeGreaterThan(0);
    const pglite = await applied(files.slice(0, first));
    await pglite.exec(`
      INSERT INTO account (id, name) VALUES ('acct_1', 'one'), ('acct_2', 'two');
      INSERT INTO api_key (id, account_id, name, mode, prefix, last_four)
        VALUES ('key_1', 'acct_1', 'k', 'test', 'p', 'l'), ('key_2', 'acct_2', 'k', 'test', 'p', 'l');
      INSERT INTO key_secret (hash, key_id, last_four) SELECT sha256(id::bytea), id, 'l' FROM api_key;
      INSERT INTO key_spend (key_id, month, spent_micros) SELECT id, '2026-11-01', 5 FROM api_key;
      CREATE UNIQUE INDEX hold_id_account_id_key ON hold (id, account_id);`);
    await applyTo(pglite, files.slice(first));
    for (const table of ["key_secret", "key_spend"]) {
      const { rows } = await pglite.query(`SELECT key_id, account_id FROM ${table} ORDER BY 1`);
      expect(rows).toEqual([
        { key_id: "key_1", account_id: "acct_1" },
        { key_id: "key_2", account_id: "acct_2" },
      ]);
    }
    const { rows } = await pglite.query("SELECT conname FROM pg_constraint WHERE NOT convalidated");
    expect(rows).toEqual([]);
  }, 120_000);

  it("give every row of the knowledge base an account, and leave a large own collection its index", async () => {
    const files = globSync("prisma/migrations/*/migration.sql").sort();
    const first = files.findIndex((file) => file.includes("_knowledge_keys/"));
    expect(first).toBeGreaterThan(0);
    const pglite = await applied(files.slice(0, first));
    await pglite.exec(`
      INSERT INTO account (id, name) VALUES ('acct_1', 'one');
      CREATE TEMP TABLE kb (id text, account text);
      INSERT INTO kb VALUES ('public_kb', NULL), ('customer_kb:acct_1', 'acct_1');
      INSERT INTO collection (id, scope, account_id, chunk_count) SELECT id, split_part(id, ':', 1), account, 1 FROM kb;
      INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash)
        SELECT 'doc_' || id, id, account, split_part(id, ':', 1), 't', 'text', 'text/plain', 1, 'h' FROM kb;
      INSERT INTO chunk (id, document_id, collection_id, account_id, ordinal, source_type, text, char_start, char_end,
                         headings, token_count, warnings, word_space, term_keys, weights)
        SELECT 'chk_' || id, 'doc_' || id, id, account, 0, 'text', 'w', 0, 1, '{}', 1, '{}', 'w', '{7}',
               '{1:1}/1000000000' FROM kb;
      INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, source_type, embedding)
        SELECT 's', 'chk_' || id, id, account, 'text', '[1,0,0]' FROM kb;
      INSERT INTO term_frequency (collection_id, term_key, chunk_count) SELECT id, 7, 1 FROM kb;
      INSERT INTO deleted_document (document_id, collection_id, account_id) SELECT 'gone_' || id, id, account FROM kb;
      INSERT INTO document_upload (document_id, bytes) VALUES ('doc_customer_kb:acct_1', 'b');
      INSERT INTO vector_index (collection_id, space, name) SELECT id, 's', 'v_' || split_part(id, ':', 1) FROM kb;
      CREATE INDEX v_public_kb ON chunk_vector USING hnsw ((embedding::halfvec(3)) halfvec_cosine_ops)
        WHERE collection_id = 'public_kb' AND space = 's';
      CREATE INDEX v_customer_kb ON chunk_vector USING hnsw ((embedding::halfvec(3)) halfvec_cosine_ops)
        WHERE collection_id = 'customer_kb:acct_1' AND space = 's';
      CREATE UNIQUE INDEX chunk_id_account_id_key ON chunk (id, account_id);`);
    await applyTo(pglite, files.slice(first));
    for (const table of [
      ...["collection", "document", "chunk", "chunk_vector", "term_frequency", "deleted_document"],
    ]) {
      const { rows } = await pglite.query(`SELECT account_id FROM ${table} ORDER BY 1`);
      expect([table, rows]).toEqual([
        table,
        [{ account_id: "acct_1" }, { account_id: "acct_public" }],
      ]);
    }
    const { rows: documents } = await pglite.query("SELECT chunk_count FROM document");
    expect(documents).toEqual([{ chunk_count: 1 }, { chunk_count: 1 }]);
    // The public one is built again by the workers, as any that is missing.
    for (const from of [
      "document_upload",
      "vector_index WHERE name = 'v_customer_kb' AND to_regclass('v_public_kb') IS NULL",
    ]) {
      const { rows } = await pglite.query(`SELECT account_id FROM ${from}`);
      expect(rows).toEqual([{ account_id: "acct_1" }]);
    }
    const { rows } = await pglite.query("SELECT conname FROM pg_constraint WHERE NOT convalidated");
    expect(rows).toEqual([]);
  }, 120_000);

  it("give the database that schema.prisma describes", async () => {
    const diff = await diffSchema(await migratedDatabase(), "database");
    expect(diff.replace(/^--.*$/gm, "").trim()).toBe("");
  }, 120_000);
});

/** An embedded database with the migrations alone: the engine cannot read a server's catalogue through its driver. */
async function migratedDatabase(): Promise<SqlMigrationAwareDriverAdapterFactory> {
  const pglite = await applied(globSync("prisma/migrations/*/migration.sql").sort());
  return new PrismaPGlite(pglite) as unknown as SqlMigrationAwareDriverAdapterFactory;
}

async function applied(files: string[]) {
  const pglite = await PGlite.create({ extensions: { vector } });
  await applyTo(pglite, files);
  return pglite;
}

async function applyTo(pglite: { exec(sql: string): Promise<unknown> }, files: string[]) {
  for (const file of files) {
    await pglite.exec(readFileSync(file, "utf8"));
  }
}
