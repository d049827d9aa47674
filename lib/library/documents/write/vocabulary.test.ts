import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { execute, transaction } from "@/lib/platform/db/client";
import { makeAccount } from "@/lib/testing/factories";
import { indexText } from "@/lib/testing/index-text";
import type { Collection } from "../collections";
import { purgeAccountDocuments, unindexDocuments } from "./remove";

let collection: Collection;

beforeAll(async () => {
  const { id } = await makeAccount();
  collection = { id: `customer_kb:${id}`, scope: "customer_kb", accountId: id, personId: null };
});
afterEach(async () => {
  await transaction((tx) => purgeAccountDocuments(tx, collection.accountId));
});

function index(text: string): Promise<string> {
  return indexText(collection, text);
}

function remove(id: string): Promise<void> {
  return transaction((tx) => unindexDocuments(tx, collection, [id]));
}

async function words(): Promise<unknown[]> {
  const { rows } = await execute(
    "SELECT word FROM vocabulary WHERE collection_id = $1 ORDER BY word",
    [collection.id],
  );
  return rows.map(({ word }) => word);
}

/** Entries of the index of terms that statements have read. */
async function termsRead(): Promise<number> {
  await execute("SELECT pg_stat_force_next_flush()");
  const { rows } = await execute(
    "SELECT idx_tup_read::int AS read FROM pg_stat_user_indexes WHERE indexrelname = 'document_frequency_pkey'",
  );
  return Number(rows[0]?.read);
}

function toLetters(index: number): string {
  return Array.from(String(index), (digit) => "abcdefghij"[Number(digit)]).join("");
}

describe("a vocabulary", () => {
  it("has the spellable words of the collection's documents, as they are written", async () => {
    await index("Statins lower cholestérol; a statin and 糖尿病, B12.");
    expect(await words()).toEqual(["cholesterol", "lower", "notes", "statin", "statins"]);
  });

  it("loses a word with the last document that has its term", async () => {
    const first = await index("Statins and aspirin.");
    const second = await index("A statin, and warfarin.");
    await remove(first);
    expect(await words()).toEqual(["notes", "statin", "statins", "warfarin"]);
    await remove(second);
    expect(await words()).toEqual([]);
  });

  it("learns a word again", async () => {
    await remove(await index("Statins."));
    await index("Statins.");
    expect(await words()).toEqual(["notes", "statins"]);
  });

  it("learns a document of many words", async () => {
    const letters = Array.from("abcdefghijklmnopqrst");
    const many = letters.flatMap((one) =>
      letters.flatMap((two) => letters.map((three) => `qz${one}${two}${three}`)),
    );
    await index(many.join(" "));
    expect((await words()).length).toBeGreaterThan(7900);
  });

  it("forgets many words without comparing each with all terms, even if the planner expects few", async () => {
    await execute("ANALYZE vocabulary, document_frequency");
    const many = Array.from({ length: 3000 }, (_, index) => `qz${toLetters(index)}`);
    const id = await index(many.join(" "));
    const before = await termsRead();
    await remove(id);
    expect(await words()).toEqual([]);
    expect((await termsRead()) - before).toBeLessThan(1_000_000);
  });

  it("is deleted with its account", async () => {
    await index("Statins.");
    await transaction((tx) => purgeAccountDocuments(tx, collection.accountId));
    expect(await words()).toEqual([]);
  });
});
