import { createHash } from "node:crypto";
import pg from "pg";
import { termKeys } from "@/lib/library/documents/term-keys";
import { maintainVectorIndexes } from "@/lib/library/documents/write/vector-index";
import { replaceEmbedder } from "@/lib/models/embedding";
import { passageWordsOf, TERM_SPACE } from "@/lib/text/analyzer";
import { LEXICON_VERSION, termWeights } from "@/lib/text/bm25";
import { BinaryCopy } from "./binary-copy";
import { type Corpus, SPACE, type SyntheticChunk, type Tenant } from "./corpus";
import { DIMENSIONS } from "./points";
import { copyVocabulary } from "./vocabulary";

const FILLED_TABLES = ["document", "chunk", "chunk_vector", "document_frequency", "vocabulary"];

/** Each document's share, from 0 to 1,999: a filter below 1,000 selects half of them. No trigger runs while loading. */
const ATTRIBUTES = [
  "UPDATE document SET metadata = jsonb_build_object('share', (hashtext(id) & 2147483647) % 2000)",
  "SELECT count(store_document_attributes(d)) FROM document d",
];

export interface LoadTimes {
  rows_s: number;
  word_and_other_indexes_s: number;
  vector_indexes_s: number;
  vacuum_s: number;
}

interface Filling {
  chunks: BinaryCopy;
  vectors: BinaryCopy;
  documents: BinaryCopy;
  /** Document frequencies by collection and term key. */
  counts: Map<Tenant, Map<number, number>>;
}

/** Fills an empty, migrated database with the corpus, as ingestion would. */
export async function load(
  url: string,
  corpus: Corpus,
  log: (text: string) => void,
): Promise<LoadTimes> {
  compareWeights(corpus);
  const clients = await Promise.all(Array.from({ length: 3 }, () => connect(url)));
  const [client] = clients as [pg.Client, ...pg.Client[]];
  try {
    await insertTenants(client, corpus);
    const definitions = await dropIndexes(client);
    log("rows");
    const rows = await timed(() => copyRows(clients, corpus));
    log("indexes");
    const words = await timed(() => runEach(client, definitions));
    log("attributes");
    await runEach(client, ATTRIBUTES);
    log("vector indexes");
    const vectors = await timed(buildVectorIndexes);
    log("vacuum");
    const vacuum = await timed(async () => void (await client.query("VACUUM (ANALYZE)")));
    return {
      rows_s: rows,
      word_and_other_indexes_s: words,
      vector_indexes_s: vectors,
      vacuum_s: vacuum,
    };
  } finally {
    await Promise.all(clients.map((each) => each.end()));
  }
}

/** Skips foreign key checks, because the rows are generated together. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("SET session_replication_role = replica; SET synchronous_commit = off");
  return client;
}

/** Checks that the corpus's own, faster term weights equal the product's. */
function compareWeights(corpus: Corpus): void {
  for (const chunk of corpus.chunks().take(50)) {
    const { terms, weights } = termWeights(passageWordsOf(chunk.text));
    if (String([terms, weights]) !== String([chunk.terms, chunk.weights])) {
      throw new Error("the bench's term weights differ from lib/text/bm25.ts");
    }
  }
}

async function insertTenants(client: pg.Client, { tenants }: Corpus): Promise<void> {
  await client.query(
    "INSERT INTO account (id, name) SELECT id, id FROM unnest($1::text[]) AS a(id) ON CONFLICT DO NOTHING",
    [tenants.map(({ accountId }) => accountId)],
  );
  await client.query(
    `INSERT INTO collection (id, scope, account_id, chunk_count)
     SELECT id, split_part(id, ':', 1), account_id, chunks
       FROM unnest($1::text[], $2::text[], $3::int[]) AS c(id, account_id, chunks)
     ON CONFLICT (id, account_id) DO UPDATE SET chunk_count = excluded.chunk_count`,
    [
      tenants.map(({ collectionId }) => collectionId),
      tenants.map(({ accountId }) => accountId),
      tenants.map(({ chunks }) => chunks),
    ],
  );
}

/** Drops indexes that are faster to rebuild, and returns the statements that recreate them. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
       FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid
      WHERE i.indrelid::regclass::text = ANY($1) AND c.oid IS NULL`,
    [FILLED_TABLES],
  );
  await runEach(
    client,
    rows.map(({ name }) => `DROP INDEX ${name}`),
  );
  return rows.map(({ definition }) => definition);
}

async function copyRows(clients: pg.Client[], corpus: Corpus): Promise<void> {
  const [first, second, third] = clients as [pg.Client, pg.Client, pg.Client];
  const filling: Filling = {
    chunks: await BinaryCopy.begin(
      first,
      `chunk (id, document_id, collection_id, account_id, ordinal, text, char_start,
              char_end, headings, token_count, warnings, lexicon_version, term_keys, weights)`,
    ),
    vectors: await BinaryCopy.begin(
      second,
      "chunk_vector (space, chunk_id, collection_id, account_id, embedding)",
    ),
    documents: await BinaryCopy.begin(
      third,
      `document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash,
                 chunk_count)`,
    ),
    counts: new Map(corpus.tenants.map((tenant) => [tenant, new Map()])),
  };
  for (const chunk of corpus.chunks()) {
    await copyChunk(filling, chunk);
  }
  await Promise.all([filling.chunks.end(), filling.vectors.end(), filling.documents.end()]);
  await copyFrequencies(first, filling.counts);
  await copyVocabulary(first, corpus, filling.counts);
}

async function copyChunk({ chunks, vectors, documents, counts }: Filling, chunk: SyntheticChunk) {
  const { document } = chunk;
  const { collectionId, accountId } = document.tenant;
  if (chunk.ordinal === 0) {
    await copyDocument(documents, chunk);
  }
  const keys = termKeys(collectionId, chunk);
  const frequencies = counts.get(document.tenant);
  for (const key of keys) {
    frequencies?.set(key, (frequencies.get(key) ?? 0) + 1);
  }
  await chunks.row(14);
  for (const text of [chunk.id, document.id, collectionId, accountId]) {
    chunks.text(text);
  }
  chunks.int4(chunk.ordinal);
  chunks.text(chunk.text);
  chunks.int4(chunk.ordinal * 1000);
  chunks.int4(chunk.ordinal * 1000 + chunk.text.length);
  chunks.noTexts();
  chunks.int4(400);
  chunks.noTexts();
  chunks.text(LEXICON_VERSION);
  chunks.int4s(keys);
  chunks.sparsevec(TERM_SPACE, chunk.terms, chunk.weights);
  await vectors.row(5);
  for (const text of [SPACE, chunk.id, collectionId, accountId]) {
    vectors.text(text);
  }
  vectors.halfvec(chunk.point);
}

async function copyDocument(documents: BinaryCopy, { document }: SyntheticChunk): Promise<void> {
  const { collectionId, accountId } = document.tenant;
  await documents.row(10);
  documents.text(document.id);
  documents.text(collectionId);
  documents.text(accountId);
  documents.text(collectionId.split(":")[0] ?? collectionId);
  documents.text(`Document ${document.index}`);
  documents.text(document.sourceType);
  documents.text("text/plain");
  documents.int4(1000 * document.chunks);
  documents.text(createHash("sha256").update(document.id).digest("base64"));
  documents.int4(document.chunks);
}

async function copyFrequencies(client: pg.Client, counts: Filling["counts"]): Promise<void> {
  const copy = await BinaryCopy.begin(
    client,
    "document_frequency (collection_id, account_id, term_key, chunk_count)",
  );
  const inOrder = [...counts].sort(([a], [b]) => (a.collectionId < b.collectionId ? -1 : 1));
  for (const [{ collectionId, accountId }, frequencies] of inOrder) {
    for (const [key, chunks] of [...frequencies].sort(([a], [b]) => a - b)) {
      await copy.row(4);
      copy.text(collectionId);
      copy.text(accountId);
      copy.int4(key);
      copy.int4(chunks);
    }
  }
  await copy.end();
}

/** As the server's background work does. */
async function buildVectorIndexes(): Promise<void> {
  const unused = () => Promise.reject(new Error("the bench embeds nothing"));
  replaceEmbedder({
    space: SPACE,
    dimensions: DIMENSIONS,
    embedPassages: unused,
    embedQuery: unused,
  });
  await maintainVectorIndexes();
}

async function runEach(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await client.query(statement);
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round((performance.now() - startedAt) / 100) / 10;
}
