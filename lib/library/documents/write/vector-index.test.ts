import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { replaceEmbedder } from "@/lib/models/embedding";
import { execute, transaction } from "@/lib/platform/db/client";
import { makeAccount } from "@/lib/testing/factories";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import type { Collection } from "../collections";
import { toVectorSql, upsertCollection } from "./index-document";
import { maintainVectorIndexes } from "./vector-index";

const FROM = 400;
const DIMENSIONS = 16;
const SPACE = 'it\'s a "test"@16';
let collection: Collection;

function use(space: string): void {
  replaceEmbedder({
    space,
    dimensions: DIMENSIONS,
    embedPassages: async (texts) => texts.map((text) => fakeVector(text, DIMENSIONS)),
    embedQuery: async (text) => fakeVector(text, DIMENSIONS),
  });
}

/** Inserts only chunks and vectors: these tests read nothing else from the index. */
async function fill(count: number): Promise<void> {
  const document = newId("document");
  const rows = Array.from({ length: count }, (_, ordinal) => ({
    ordinal,
    id: newId("chunk"),
    embedding: toVectorSql(fakeVector(`harbour number ${ordinal}`, DIMENSIONS)),
  }));
  await transaction(async (tx) => {
    await upsertCollection(tx, collection);
    const ids = [document, collection.id, collection.accountId];
    await tx.execute(
      `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash)
       VALUES ($1, $2, $3, 'customer_kb', 'Pilot', 'book', 'text/plain', 1, sha256($1::text::bytea))`,
      ids,
    );
    await tx.execute(
      `INSERT INTO chunk (id, document_id, collection_id, account_id, ordinal, text, char_start, char_end, headings,
                          token_count, warnings, lexicon_version, term_keys, weights)
       SELECT c.id, $1, $2, $3, c.ordinal, 'x', 0, 1, '{}', 1, '{}', 'none', '{}', '{}/1000000000'
         FROM json_to_recordset($4::json) AS c(id text, ordinal int)`,
      [...ids, JSON.stringify(rows)],
    );
    await tx.execute(
      `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, embedding)
       SELECT $1, c.id, $2, $3, c.embedding::halfvec FROM json_to_recordset($4::json) AS c(id text, embedding text)`,
      [SPACE, collection.id, collection.accountId, JSON.stringify(rows)],
    );
    await tx.execute("UPDATE document SET chunk_count = $2 WHERE id = $1", [document, count]);
    await tx.execute("UPDATE collection SET chunk_count = chunk_count + $2 WHERE id = $1", [
      collection.id,
      count,
    ]);
  });
}

async function standing(): Promise<{ name: unknown; indisvalid: unknown }[]> {
  const { rows } = await execute(
    `SELECT c.relname AS name, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = 'chunk_vector'::regclass AND c.relname LIKE 'chunk_vector_near_%'`,
  );
  return rows as never;
}

/** The plan of a search in the collection, with the vector retriever's query. */
async function planOfSearch(): Promise<string> {
  const point = toVectorSql(fakeVector("harbour", DIMENSIONS));
  const space = SPACE.replaceAll("'", "''");
  return transaction(async (tx) => {
    // The planner would scan a table of a few pages even if it has an index.
    await tx.exec("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off");
    const { rows } = await tx.execute(
      `EXPLAIN SELECT chunk_id FROM chunk_vector
        WHERE right(collection_id, 1) = '${collection.id.slice(-1)}' AND space = '${space}'
          AND collection_id = '${collection.id}' AND account_id = '${collection.accountId}'
        ORDER BY embedding::halfvec(16) <=> '${point}'::halfvec(16) LIMIT 10`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

beforeAll(async () => {
  const { id } = await makeAccount();
  collection = { id: `customer_kb:${id}`, scope: "customer_kb", accountId: id, personId: null };
  use(SPACE);
  await fill(FROM - 1);
});
afterAll(async () => {
  await execute(`DELETE FROM document WHERE collection_id = '${collection.id}'`);
  await execute(`DELETE FROM collection WHERE id = '${collection.id}'`);
  await maintainVectorIndexes();
  replaceEmbedder(undefined);
});

describe("a vector index", () => {
  it("is created once a collection is large enough, and searches use it", async () => {
    await maintainVectorIndexes(FROM);
    expect(await standing()).toEqual([]);
    await fill(FROM);
    await maintainVectorIndexes(FROM);
    await maintainVectorIndexes(FROM);
    const [index, ...others] = await standing();
    expect([index?.indisvalid, others]).toEqual([true, []]);
    await execute("ANALYZE chunk_vector");
    expect(await planOfSearch()).toContain(`Index Scan using ${index?.name}`);
  });

  it("is built again after a killed build", async () => {
    const [index] = await standing();
    await execute(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '"${index?.name}"'::regclass`,
    );
    await maintainVectorIndexes(FROM);
    expect(await standing()).toEqual([{ ...index, indisvalid: true }]);
  });

  it("of a single collection, from an earlier version, is dropped", async () => {
    const shared = await standing();
    await execute(
      `CREATE INDEX chunk_vector_near_0123456789abcdef01234567 ON chunk_vector
         USING hnsw ((embedding::halfvec(${DIMENSIONS})) halfvec_cosine_ops) WHERE collection_id = '${collection.id}'`,
    );
    await maintainVectorIndexes(FROM);
    expect(await standing()).toEqual(shared);
  });

  it("is dropped while every collection is a small part of those that share it", async () => {
    const shared = await standing();
    const { id } = await makeAccount();
    const others = `customer_kb:${id}${collection.id.slice(-1)}`;
    const setSize = (size: number) =>
      execute(
        `INSERT INTO collection (id, scope, account_id, chunk_count) VALUES ($1, 'customer_kb', $2, $3)
         ON CONFLICT (id, account_id) DO UPDATE SET chunk_count = $3`,
        [others, id, size],
      );
    await setSize(5000);
    await maintainVectorIndexes(FROM);
    expect(await standing()).toEqual(shared);
    await setSize(10_000);
    await maintainVectorIndexes(FROM);
    expect(await standing()).toEqual([]);
    await execute("DELETE FROM collection WHERE id = $1", [others]);
    await maintainVectorIndexes(FROM);
    expect(await standing()).toEqual(shared);
  });

  it("remains while another model is configured, and is dropped with its last vector", async () => {
    use("another@16");
    await maintainVectorIndexes(FROM);
    expect(await standing()).toHaveLength(1);
    await execute(`DELETE FROM chunk_vector WHERE collection_id = '${collection.id}'`);
    await maintainVectorIndexes(FROM);
    expect(await standing()).toEqual([]);
  });
});
