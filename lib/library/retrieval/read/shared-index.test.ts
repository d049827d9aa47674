import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { toVectorSql } from "@/lib/library/documents/write/index-document";
import { maintainVectorIndexes } from "@/lib/library/documents/write/vector-index";
import { replaceEmbedder } from "@/lib/models/embedding";
import { execute } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { makeAccount } from "@/lib/testing/factories";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import { readStatistics, type Scope, searchVectors } from "./retrievers";

const DIMENSIONS = 16;
const SPACE = "shared@16";
const FROM = 300;
/** Both share an index. In the second one, an exact scan stays faster. */
const SIZES = [1500, 200];
const LETTER = "z";
const usual = env.VECTOR_INDEX_FROM;

interface Searched {
  id: string;
  accountId: string;
}
const collections: Searched[] = [];

const model = {
  ...{ space: SPACE, dimensions: DIMENSIONS },
  embedPassages: async (texts: readonly string[]) =>
    texts.map((text) => fakeVector(text, DIMENSIONS)),
  embedQuery: async (text: string) => fakeVector(text, DIMENSIONS),
};

/** One document per passage, every seventh one retracted. Both collections are about the same things. */
async function fill({ id, accountId }: Searched, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, ordinal) => ({
    ...{ ordinal, document: newId("document"), chunk: newId("chunk") },
    embedding: toVectorSql(fakeVector(`harbour ${ordinal} pilot ${ordinal % 40}`, DIMENSIONS)),
  }));
  const values = [id, accountId, JSON.stringify(rows)];
  const from =
    "FROM json_to_recordset($3::json) AS r(ordinal int, document text, chunk text, embedding text)";
  await execute(
    "INSERT INTO collection (id, scope, account_id, chunk_count) VALUES ($1, 'customer_kb', $2, $3)",
    [id, accountId, count],
  );
  await execute(
    `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash, chunk_count)
     SELECT r.document, $1, $2, 'customer_kb', 'Pilot', 'book', 'text/plain', 1, sha256(r.document::bytea), 1 ${from}`,
    values,
  );
  await execute(
    `INSERT INTO chunk (id, document_id, collection_id, account_id, ordinal, text, char_start, char_end, headings,
                        token_count, warnings, lexicon_version, term_keys, weights)
     SELECT r.chunk, r.document, $1, $2, 0, 'x', 0, 1, '{}', 1, '{}', 'none', '{}', '{}/1000000000' ${from}`,
    values,
  );
  await execute(
    `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, is_retracted, embedding)
     SELECT '${SPACE}', r.chunk, $1, $2, r.ordinal % 7 = 0, r.embedding::halfvec ${from}`,
    values,
  );
}

beforeAll(async () => {
  env.VECTOR_INDEX_FROM = FROM;
  replaceEmbedder(model);
  for (const size of SIZES) {
    const { id } = await makeAccount();
    const collection = { id: `customer_kb:${id}${LETTER}`, accountId: id };
    collections.push(collection);
    await fill(collection, size);
  }
  await maintainVectorIndexes(FROM);
  await execute("ANALYZE chunk_vector");
});
afterAll(async () => {
  env.VECTOR_INDEX_FROM = usual;
  for (const { id } of collections) {
    await execute("DELETE FROM document WHERE collection_id = $1", [id]);
    await execute("DELETE FROM collection WHERE id = $1", [id]);
  }
  await maintainVectorIndexes();
  replaceEmbedder(undefined);
});

const { signal } = new AbortController();

async function indexesFor(collection: Searched) {
  const whole = { ...collection, scope: "customer_kb" as const, personId: null };
  return readStatistics(signal, [whole], { terms: [], space: SPACE });
}

/** The ids found with the index of the collection, and by an exact scan. */
async function findBoth(collection: Searched, text: string, scope: Partial<Scope> = {}) {
  const statistics = await indexesFor(collection);
  const point = { ...model, sql: toVectorSql(fakeVector(text, DIMENSIONS)) };
  const query = { ...statistics, point, terms: null };
  const whole: Scope = {
    ...{ collectionIds: [collection.id], accountIds: [collection.accountId], bound: null },
    ...{ documents: null, includesRetracted: false, depth: 50, ...scope },
  };
  const sorted = async (indexes: ReadonlyMap<string, number>) =>
    (await searchVectors(signal, whole, { ...query, indexes }))
      .toSorted((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))
      .map(({ id }) => id);
  return { indexed: await sorted(statistics.indexes), exact: await sorted(new Map()) };
}

function recallAt10(found: readonly string[], exact: readonly string[]): number {
  const truth = exact.slice(0, 10);
  return truth.filter((id) => found.includes(id)).length / Math.max(1, truth.length);
}

const [large, small] = [0, 1].map((place) => () => collections[place] as Searched) as [
  () => Searched,
  () => Searched,
];

async function meanRecall(scope: Partial<Scope> = {}): Promise<number> {
  let sum = 0;
  for (let query = 0; query < 40; query += 1) {
    const { indexed, exact } = await findBoth(
      large(),
      `harbour ${query * 31} pilot ${query}`,
      scope,
    );
    expect(exact).toHaveLength(50);
    expect(new Set(indexed).size).toBe(50);
    sum += recallAt10(indexed, exact);
  }
  return sum / 40;
}

/** How often the index was searched. */
async function countScans(): Promise<number> {
  await execute("SELECT pg_stat_force_next_flush()");
  const { rows } = await execute(
    "SELECT sum(idx_scan)::int AS scans FROM pg_stat_user_indexes WHERE indexrelname LIKE 'chunk_vector_near_z%'",
  );
  return Number(rows[0]?.scans);
}

describe("an index that collections share", () => {
  it("is known to each of them, with the vectors of all", async () => {
    const expected = SIZES.reduce((sum, size) => sum + size, 0);
    for (const collection of collections) {
      const { indexes } = await indexesFor(collection);
      expect([...indexes.keys()]).toEqual([collection.id]);
      // An estimate of PostgreSQL's, from a sample.
      expect(Math.abs((indexes.get(collection.id) ?? 0) - expected)).toBeLessThan(expected / 50);
    }
  });

  it("finds at least 98% of the nearest passages", async () => {
    const before = await countScans();
    expect(await meanRecall()).toBeGreaterThanOrEqual(0.98);
    expect(await countScans()).toBe(before + 40);
  });

  it("finds as much of filtered and of retracted passages", async () => {
    const isSelected = (id: string) =>
      `(SELECT d.id < 'doc_z' AND right(d.id, 1) < 'c' FROM document d WHERE d.id = ${id})`;
    expect(await meanRecall({ includesRetracted: true })).toBeGreaterThanOrEqual(0.98);
    expect(await meanRecall({ documents: { isSelected } })).toBeGreaterThanOrEqual(0.98);
  });

  it("finds nothing of the other collection", async () => {
    const ofLarge = await execute("SELECT chunk_id FROM chunk_vector WHERE collection_id = $1", [
      large().id,
    ]);
    const own = new Set(ofLarge.rows.map(({ chunk_id }) => chunk_id));
    const { indexed } = await findBoth(large(), "harbour 3 pilot 3");
    expect(indexed.every((id) => own.has(id))).toBe(true);
    const { indexed: ofSmall } = await findBoth(small(), "harbour 3 pilot 3");
    expect(ofSmall.some((id) => own.has(id))).toBe(false);
  });

  it("finds nothing for another account", async () => {
    const accountIds = [small().accountId];
    expect(await findBoth(large(), "harbour 3", { accountIds })).toEqual({
      indexed: [],
      exact: [],
    });
  });
});
