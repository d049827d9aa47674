import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "@/lib/id";
import { type Embedder, replaceEmbedder } from "@/lib/models/embedding";
import { execute, type Row, transaction } from "@/lib/platform/db/client";
import { lexicalText } from "@/lib/reading/describe";
import { makeAccount } from "@/lib/testing/factories";
import { ORPHANED_VOCABULARY, WRONG_CHUNK_COUNTS, WRONG_TERM_COUNTS } from "@/lib/testing/recount";
import { passageWordsOf, termId } from "@/lib/text/analyzer";
import { LEXICON_VERSION, termWeights } from "@/lib/text/bm25";
import type { Collection } from "../collections";
import { indexDocuments, toIndexEntry, upsertCollection } from "./index-document";
import { continueReindex, createReindexCursor } from "./reindex";
import { reindexSome } from "./reindex-cycle";
import { unindexDocuments } from "./remove";
import { dropOtherSpaces } from "./vector-index";

const CHUNKS = 250;
const { signal } = new AbortController();
let collection: Collection;

function fakeEmbedder(space: string, fail = () => false): Embedder {
  return {
    space,
    dimensions: 3,
    embedPassages: async (texts) => {
      if (fail()) {
        throw new Error("the embedding model is away");
      }
      return texts.map((text) => Float32Array.of(text.length, 0, 1));
    },
    embedQuery: async () => Float32Array.of(0, 0, 1),
  };
}

/** A document with many passages, stored and indexed like a job does it. */
async function makeDocument(): Promise<string> {
  const id = newId("document");
  const chunks = Array.from({ length: CHUNKS }, (_, index) => {
    const text = `Passage ${index} says harbour${"".padEnd(index % 5, "!")} twice: harbour.`;
    const chunk = { text, headings: ["Ports"], charStart: 0, charEnd: text.length, tokenCount: 9 };
    const weights = termWeights(passageWordsOf(lexicalText("Pilot", chunk)));
    return { ...chunk, pageStart: null, pageEnd: null, warnings: [], ...weights };
  });
  await transaction(async (tx) => {
    await upsertCollection(tx, collection);
    await tx.query(
      "reindex_test_document",
      `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash)
       VALUES ($1, $2, $3, 'customer_kb', 'Pilot', 'book', 'text/plain', 1, $4)`,
      [id, collection.id, collection.accountId, Buffer.from(id)],
    );
    const document = { ...collection, id, collectionId: collection.id };
    const about = { title: "Pilot", mediaType: "text/plain", text: "Pilot" };
    const words = new Map([["harbour", termId("harbor")]]);
    const read = {
      ...about,
      pages: null,
      emptyPages: null,
      pageConfidence: null,
      pageStarts: null,
      pageBoxes: [],
      warnings: [],
      chunks,
      words,
    };
    await indexDocuments(tx, collection, [await toIndexEntry(document, read, null)]);
  });
  return id;
}

/** Simulates an index from an older lexicon: keys are bare numbers and are counted as such. */
async function age(documentId: string): Promise<void> {
  await execute(`UPDATE chunk SET lexicon_version = 'older', term_keys = ARRAY[1, 2, ordinal + 10],
                        weights = '{1:1}/1000000000' WHERE document_id = '${documentId}'`);
  await execute(`DELETE FROM document_frequency WHERE collection_id = '${collection.id}'`);
  await execute(`INSERT INTO document_frequency (collection_id, account_id, term_key, chunk_count)
    SELECT collection_id, account_id, t, count(*) FROM chunk, unnest(term_keys) AS t
     WHERE collection_id = '${collection.id}' GROUP BY 1, 2, 3`);
}

async function indexedTerms(documentId: string): Promise<Row[]> {
  const { rows } = await execute(
    `SELECT ordinal, lexicon_version, term_keys, weights::text FROM chunk WHERE document_id = '${documentId}' ORDER BY ordinal`,
  );
  return rows;
}

async function vocabulary(): Promise<unknown[]> {
  const { rows } = await execute(
    `SELECT word FROM vocabulary WHERE collection_id = '${collection.id}' ORDER BY word`,
  );
  return rows.map(({ word }) => word);
}

async function vectorsIn(space: string): Promise<number> {
  const { rows } = await execute(
    `SELECT count(*)::int AS vectors FROM chunk_vector WHERE collection_id = '${collection.id}' AND space = '${space}'`,
  );
  return Number(rows[0]?.vectors);
}

async function reindexAll(): Promise<number> {
  let all = 0;
  for (let some = -1; some !== 0; all += some) {
    some = await reindexSome(100);
    expect(some).toBeLessThanOrEqual(100);
  }
  return all;
}

async function expectExactCounts(): Promise<void> {
  expect((await execute(WRONG_TERM_COUNTS)).rows).toEqual([]);
  expect((await execute(WRONG_CHUNK_COUNTS)).rows).toEqual([]);
}

async function expectNoOrphans(): Promise<void> {
  expect((await execute(ORPHANED_VOCABULARY, [collection.id])).rows).toEqual([]);
}

beforeAll(async () => {
  const { id } = await makeAccount();
  collection = { id: `customer_kb:${id}`, scope: "customer_kb", accountId: id, personId: null };
});
afterAll(async () => {
  await execute("DELETE FROM chunk_vector WHERE space LIKE 'reindex-%'");
  replaceEmbedder(undefined);
});

describe("background reindexing", () => {
  it("updates the terms of chunks from an older lexicon, and keeps the counts exact", async () => {
    replaceEmbedder(fakeEmbedder("reindex-1"));
    const id = await makeDocument();
    const born = await indexedTerms(id);
    await expectExactCounts();
    await age(id);
    await expectExactCounts();
    expect(await reindexAll()).toBeGreaterThanOrEqual(CHUNKS);
    expect(await indexedTerms(id)).toEqual(born);
    expect(await vocabulary()).toEqual(["harbour", "passage", "pilot", "ports", "says", "twice"]);
    expect(born.every(({ lexicon_version }) => lexicon_version === LEXICON_VERSION)).toBe(true);
    await expectExactCounts();
    await expectNoOrphans();
  });

  it("embeds chunks without a vector, and stops when nothing is stale", async () => {
    replaceEmbedder(fakeEmbedder("reindex-2"));
    expect(await reindexAll()).toBeGreaterThanOrEqual(CHUNKS);
    expect(await vectorsIn("reindex-2")).toBe(CHUNKS);
    expect(await reindexSome(100)).toBe(0);
  });

  it("resumes after the embedding model was unavailable", async () => {
    let isAway = true;
    replaceEmbedder(fakeEmbedder("reindex-3", () => isAway));
    await expect(reindexSome(100)).rejects.toThrow("away");
    isAway = false;
    await reindexAll();
    expect(await vectorsIn("reindex-3")).toBe(CHUNKS);
  });

  it("skips chunks that the model rejects, and reindexes terms while the model is unavailable", async () => {
    const id = await makeDocument();
    onTestFinished(() => transaction((tx) => unindexDocuments(tx, collection, [id])));
    const fake = fakeEmbedder("reindex-7");
    replaceEmbedder({
      ...fake,
      embedPassages: (texts, signal) =>
        texts.some((text) => text.includes("Passage 7 "))
          ? Promise.reject(new Error("refused"))
          : fake.embedPassages(texts, signal),
    });
    await reindexAll();
    // One from each of the two documents.
    expect(await vectorsIn("reindex-7")).toBe(2 * CHUNKS - 2);
    await age(id);
    replaceEmbedder(fakeEmbedder("reindex-8", () => true));
    const isCurrent = async () => {
      // Does nothing while the lock of the last reindexing is being released.
      await reindexSome(10 * CHUNKS);
      return (await indexedTerms(id)).every(
        ({ lexicon_version }) => lexicon_version === LEXICON_VERSION,
      );
    };
    await expect.poll(isCurrent).toBe(true);
  });

  it("skips chunks that are deleted in the meantime", async () => {
    replaceEmbedder(fakeEmbedder("reindex-4"));
    const id = await makeDocument();
    await age(id);
    const deleting = transaction((tx) => unindexDocuments(tx, collection, [id]));
    await Promise.all([reindexAll(), deleting, reindexAll()]);
    expect(await indexedTerms(id)).toEqual([]);
    await expectExactCounts();
    await expectNoOrphans();
  });
});

describe("reembedding", () => {
  it("drops a collection's vectors of other models once the new ones are complete", async () => {
    replaceEmbedder(fakeEmbedder("reindex-5"));
    expect(await dropOtherSpaces(collection.id, "reindex-5")).toBe(0);
    const pass = createReindexCursor(collection.id);
    while (!pass.isDone) {
      await continueReindex(pass, signal);
    }
    expect(pass.done).toBe(CHUNKS);
    expect(await dropOtherSpaces(collection.id, "reindex-5")).toBeGreaterThanOrEqual(2 * CHUNKS);
    expect([await vectorsIn("reindex-5"), await vectorsIn("reindex-2")]).toEqual([CHUNKS, 0]);
  });
});
