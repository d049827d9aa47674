import "server-only";

import { setImmediate } from "node:timers/promises";
import type { Session } from "@/lib/db";
import { newId } from "@/lib/id";
import { embedder, type SparseVector } from "@/lib/models/lexical-embedder";
import { TERM_SPACE } from "@/lib/models/lexicon";
import type { ChunkDraft, ChunkedText } from "../chunk";
import { clip, LONGEST_HEADING } from "../clip";

const EMBED_BATCH = 50;

/** What the index needs of a document besides its text. */
export interface IndexedDocument {
  id: string;
  collectionId: string;
  accountId: string | null;
  title: string;
  sourceType: string;
}

/**
 * The vectors of the chunks. A chunk is embedded with its title and headings: they name its subject.
 * Other requests are answered between batches.
 */
export async function embedChunks(
  title: string,
  chunks: readonly ChunkDraft[],
): Promise<SparseVector[]> {
  const subject = clip(title, LONGEST_HEADING);
  const vectors: SparseVector[] = [];
  for (let start = 0; start < chunks.length; start += EMBED_BATCH) {
    const batch = chunks.slice(start, start + EMBED_BATCH);
    const texts = batch.map((chunk) => [subject, ...chunk.headings, chunk.text].join("\n"));
    vectors.push(...(await embedder().embedPassages(texts)));
    await setImmediate();
  }
  return vectors;
}

/**
 * Locks the collection of a document; null when the document is gone. Every transaction that changes
 * documents takes it first, then jobs and documents, and the account (`settle`) last: in any other
 * order two of them may wait for each other.
 */
export async function lockCollection(
  tx: Session,
  { documentId }: { documentId: string },
): Promise<string | null> {
  const [collection] = await tx.query<{ id: string }>(
    "documents_lock_collection",
    `SELECT id FROM collection WHERE id = (SELECT collection_id FROM document WHERE id = $1) FOR UPDATE`,
    [documentId],
  );
  return collection?.id ?? null;
}

/** Makes a document searchable: its text, its chunks and the term counts of its collection, or none of them. */
export async function indexDocument(
  tx: Session,
  document: IndexedDocument,
  { text, chunks, vectors }: ChunkedText & { vectors: readonly SparseVector[] },
): Promise<void> {
  await tx.query(
    "documents_count_chunks",
    "UPDATE collection SET chunk_count = chunk_count + $2 WHERE id = $1",
    [document.collectionId, chunks.length],
  );
  await tx.query("documents_store_text", "UPDATE document SET text = $2 WHERE id = $1", [
    document.id,
    text,
  ]);
  await tx.query(
    "documents_insert_chunks",
    `INSERT INTO chunk (id, document_id, collection_id, account_id, ordinal, source_type, text, char_start,
                        char_end, headings, token_count, embedding_space, terms, weights)
     SELECT c.id, $2, $3, $4, c.ordinal, $5, c.text, c.char_start, c.char_end, c.headings, c.token_count,
            $6, c.terms, c.weights::sparsevec
       FROM jsonb_to_recordset($1::jsonb) AS c(id text, ordinal int, text text, char_start int, char_end int,
            headings text[], token_count int, terms int[], weights text)`,
    [
      JSON.stringify(chunks.map((chunk, ordinal) => chunkRow(chunk, ordinal, vectors[ordinal]))),
      document.id,
      document.collectionId,
      document.accountId,
      document.sourceType,
      embedder().space,
    ],
  );
  await tx.query(
    "documents_count_terms",
    `INSERT INTO term_frequency (collection_id, term, chunk_count)
     SELECT $2, t.term, count(*) FROM chunk c, unnest(c.terms) AS t(term)
      WHERE c.document_id = $1 GROUP BY t.term ORDER BY t.term
     ON CONFLICT (collection_id, term)
     DO UPDATE SET chunk_count = term_frequency.chunk_count + excluded.chunk_count`,
    [document.id, document.collectionId],
  );
  await tx.query("documents_drop_upload", "DELETE FROM document_upload WHERE document_id = $1", [
    document.id,
  ]);
}

/** Takes a document, its chunks and its part of the term counts away. */
export async function unindexDocument(
  tx: Session,
  document: { id: string; collectionId: string },
): Promise<void> {
  await tx.query(
    "documents_uncount_chunks",
    `UPDATE collection SET chunk_count = chunk_count - (SELECT count(*) FROM chunk WHERE document_id = $1)
      WHERE id = $2`,
    [document.id, document.collectionId],
  );
  await tx.query(
    "documents_uncount_terms",
    `UPDATE term_frequency f SET chunk_count = f.chunk_count - gone.chunks
       FROM (SELECT t.term, count(*) AS chunks FROM chunk c, unnest(c.terms) AS t(term)
              WHERE c.document_id = $1 GROUP BY t.term) AS gone
      WHERE f.collection_id = $2 AND f.term = gone.term`,
    [document.id, document.collectionId],
  );
  await tx.query(
    "documents_drop_terms",
    "DELETE FROM term_frequency WHERE collection_id = $1 AND chunk_count <= 0",
    [document.collectionId],
  );
  await tx.query("documents_delete", "DELETE FROM document WHERE id = $1", [document.id]);
}

function chunkRow(chunk: ChunkDraft, ordinal: number, vector: SparseVector | undefined) {
  const { terms, weights } = vector ?? { terms: [], weights: [] };
  const entries = terms.map((term, index) => `${term}:${weights[index]?.toPrecision(6)}`);
  return {
    id: newId("chunk"),
    ordinal,
    text: chunk.text,
    char_start: chunk.charStart,
    char_end: chunk.charEnd,
    headings: chunk.headings,
    token_count: chunk.tokenCount,
    terms,
    weights: `{${entries.join(",")}}/${TERM_SPACE}`,
  };
}
