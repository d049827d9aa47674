import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { execute, type Transaction, transaction } from "@/lib/platform/db/client";
import { indexText } from "@/lib/testing/index-text";
import type { Collection } from "../collections";
import { flushTermKeys, upsertCollection } from "./index-document";
import { countTerms } from "./term-counts";

const made: string[] = [];

/** A collection in an account without ledger entries, so that the account can be deleted too. */
async function makeCollection(): Promise<Collection & { accountId: string }> {
  const accountId = newId("account");
  made.push(accountId);
  await execute("INSERT INTO account (id, name) VALUES ($1, 'Counts')", [accountId]);
  return { id: `customer_kb:${accountId}`, scope: "customer_kb", accountId, personId: null };
}

function count(collection: Collection, added: number[][], removed: number[][] = []): Promise<void> {
  return transaction(async (tx) => {
    await upsertCollection(tx, collection);
    await countTerms(tx, collection, { added, removed });
  });
}

async function countsOf({ id }: Collection): Promise<Record<string, number>> {
  const { rows } = await execute(
    "SELECT term_key, chunk_count FROM document_frequency WHERE collection_id = $1 ORDER BY term_key",
    [id],
  );
  return Object.fromEntries(rows.map(({ term_key, chunk_count }) => [term_key, chunk_count]));
}

afterEach(async () => {
  await execute("DELETE FROM account WHERE id = ANY($1)", [made]);
});

describe("term counts", () => {
  it("are written some thousand terms at a time, with turns of the event loop in between", async () => {
    const collection = await makeCollection();
    const keys = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const sizes: number[] = [];
    const turns = new Set<number>();
    let turn = 0;
    const ticking = setInterval(() => {
      turn += 1;
    });
    const write = (added: number[][], removed: number[][]) =>
      transaction(async (tx) => {
        await upsertCollection(tx, collection);
        const query: Transaction["query"] = (name, sql, values) => {
          sizes.push(String(values?.[1]).split(",").length, String(values?.[2]).split(",").length);
          turns.add(turn);
          return tx.query(name, sql, values);
        };
        await countTerms({ ...tx, query }, collection, { added, removed });
      });
    await write([keys], []);
    expect(Object.keys(await countsOf(collection))).toHaveLength(20_000);
    await write([], [keys]);
    clearInterval(ticking);
    expect(await countsOf(collection)).toEqual({});
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2000);
    expect(turns.size).toBeGreaterThan(5);
  });

  it("are looked up one by one, even where the plan was made while there were few", async () => {
    const collection = await makeCollection();
    const plans: unknown[] = [];
    await transaction(async (tx) => {
      await upsertCollection(tx, collection);
      const query: Transaction["query"] = async (name, sql, values) => {
        if (name === "documents_count_terms") {
          plans.push(...(await tx.query(`explain_${name}`, `EXPLAIN ${sql}`, values)));
        }
        return tx.query(name, sql, values);
      };
      await countTerms({ ...tx, query }, collection, { added: [[1, 2, 3]], removed: [] });
    });
    expect(plans).not.toEqual([]);
    expect(JSON.stringify(plans)).not.toMatch(/Scan on document_frequency/);
  });

  it("are the sum of additions and removals, without entries for unused terms", async () => {
    const collection = await makeCollection();
    await count(collection, [
      [-5, 1, 2_147_483_647],
      [1, -2_147_483_648],
    ]);
    await count(collection, [[1, 7]], [[-5, 1, 2_147_483_647]]);
    expect(await countsOf(collection)).toEqual({ "-2147483648": 1, "1": 2, "7": 1 });
    await count(collection, []);
    expect(await countsOf(collection)).toEqual({ "-2147483648": 1, "1": 2, "7": 1 });
  });

  it.each(["collection", "account"])(
    "are deleted with their %s, and those of other collections are not",
    async (table) => {
      const [gone, kept] = [await makeCollection(), await makeCollection()];
      await count(gone, [[1, 2]]);
      await count(kept, [[1, 2]]);
      const id = table === "collection" ? gone.id : gone.accountId;
      await execute(`DELETE FROM ${table} WHERE id = $1`, [id]);
      expect(await countsOf(gone)).toEqual({});
      expect(await countsOf(kept)).toEqual({ "1": 1, "2": 1 });
    },
  );

  it.runIf(process.env.TEST_DATABASE_URL)(
    "are deleted even if written while the deletion of their collection waits",
    async () => {
      const collection = await makeCollection();
      await count(collection, [[1]]);
      let deleted = false;
      let deletion = Promise.resolve();
      await transaction(async (tx) => {
        await upsertCollection(tx, collection);
        deletion = execute("DELETE FROM collection WHERE id = $1", [collection.id]).then(() => {
          deleted = true;
        });
        await untilWaiting(tx);
        await countTerms(tx, collection, { added: [[1, 2, 3]], removed: [] });
        expect(deleted).toBe(false);
      });
      await deletion;
      expect(await countsOf(collection)).toEqual({});
    },
  );
});

async function untilWaiting(tx: Transaction): Promise<void> {
  for (let waiting = false; !waiting; await sleep(5)) {
    const { rows } = await tx.execute(
      "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))",
    );
    waiting = rows.length > 0;
  }
}

describe("term keys", () => {
  it("don't stay on the index's pending list", async () => {
    const clean = async () => {
      const { rows } = await execute(
        "SELECT gin_clean_pending_list('chunk_term_keys_idx')::int AS pages",
      );
      return rows[0]?.pages;
    };
    await clean();
    const collection = await makeCollection();
    await indexText(collection, "Take one tablet daily.");
    expect(await clean()).toBeGreaterThan(0);
    await indexText(collection, "Take two tablets daily.");
    await flushTermKeys();
    expect(await clean()).toBe(0);
  });
});
