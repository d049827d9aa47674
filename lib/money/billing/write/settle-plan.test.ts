import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { afterAll, beforeAll, expect, it } from "vitest";

const MIGRATIONS = "prisma/migrations";
const REQUESTS = 200;

/** A new database: when the connection plans its first settlement, the tables are known to be empty. */
const database = new PGlite({ extensions: { vector } });

beforeAll(async () => {
  for (const name of readdirSync(MIGRATIONS).toSorted()) {
    if (name !== "migration_lock.toml") {
      await database.exec(readFileSync(path.join(MIGRATIONS, name, "migration.sql"), "utf8"));
    }
  }
  await database.exec(`
    INSERT INTO account (id, name, balance_micros) VALUES ('a', 'A', 1000000);
    INSERT INTO api_key (id, account_id, name, mode, prefix, last_four) VALUES ('k', 'a', 'K', 'test', 'k', 'last');
  `);
  await database.exec("VACUUM ANALYZE");
});

afterAll(() => database.close());

async function settle(request: string): Promise<void> {
  const hold = "SELECT place_holds('a', ARRAY[$1], ARRAY['k'], ARRAY[10], ARRAY[60])";
  await database.query(hold, [request]);
  const usage = {
    ...{ endpoint: "chat", kind: "core", promptTokens: 1, completionTokens: 1 },
    ...{ rate: {}, status: 200, latencyMs: 1 },
  };
  const item = { hold: request, cost: 5, entry: `entry of ${request}`, usage };
  await database.query("SELECT settle_holds('a', $1)", [JSON.stringify([item])]);
}

/** Rows of holds and usage records that this connection has read by an index. */
async function rowsRead(): Promise<number> {
  const { rows } = await database.query<{ rows: number }>(
    `SELECT sum(pg_stat_get_xact_tuples_fetched(indexrelid))::int AS rows FROM pg_index
      WHERE indrelid IN ('hold'::regclass, 'usage_record'::regclass)`,
  );
  return rows[0]?.rows ?? 0;
}

it("a settlement reads few rows, also by plans made for empty tables", async () => {
  for (let request = 0; request < REQUESTS; request += 1) {
    await settle(`request ${request}`);
  }
  await database.query("BEGIN");
  const before = await rowsRead();
  await settle("the last request");
  const read = (await rowsRead()) - before;
  await database.query("COMMIT");
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(10);
});
