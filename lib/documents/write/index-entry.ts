import "server-only";

import { setImmediate } from "node:timers/promises";
import { SparseVector, toSql } from "pgvector";
import { newId } from "@/lib/id";
import type { Embedder } from "@/lib/models/embedding";
import { TERM_SPACE } from "@/lib/text/analyzer";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import { embeddingText } from "../describe";
import type { ReadChunk, ReadDocument } from "../parse/pool";
import { termKeys } from "../term-keys";
import { CopyRows } from "./copy-rows";

/** A large document takes long to encode; other requests run after each of these. */
const CHUNKS_PER_TURN = 500;

export const CHUNK_COLUMNS = [
  ...["id", "document_id", "collection_id", "account_id", "ordinal", "source_type", "text"],
  ...["char_start", "char_end", "page_start", "page_end", "headings", "token_count", "warnings"],
  ...["lexicon_version", "term_keys", "weights"],
];

interface IndexedDocument {
  id: string;
  collectionId: string;
  accountId: string;
  sourceType: string;
}

/** The vectors of a document's chunks, in order; null without an embedding model. */
export type ChunkVectors = { space: string; points: readonly Float32Array[] } | null;

/** A document that is ready to be stored. */
export interface IndexEntry {
  document: IndexedDocument;
  read: ReadDocument;
  /** Rows for COPY, vectors as JSON rows, and each chunk's term keys. */
  rows: { chunks: Buffer<ArrayBuffer>[]; vectors: string[]; termKeys: number[][] };
}

export interface VectorRow {
  space: string;
  id: string;
  source_type: string;
  embedding: string | null;
}

export async function embedChunks(
  embedder: Embedder | null,
  read: Pick<ReadDocument, "title" | "chunks">,
  signal: AbortSignal,
): Promise<ChunkVectors> {
  if (!embedder) {
    return null;
  }
  const texts = read.chunks.map((chunk) => embeddingText(read.title, chunk));
  return { space: embedder.space, points: await embedder.embedPassages(texts, signal) };
}

/** Encodes a document's rows before any lock is taken, so that nobody waits for the encoding. */
export async function toIndexEntry(
  document: IndexedDocument,
  read: ReadDocument,
  vectors: ChunkVectors,
): Promise<IndexEntry> {
  const rows: IndexEntry["rows"] = { chunks: [], vectors: [], termKeys: [] };
  const copy = new CopyRows();
  for (const [ordinal, chunk] of read.chunks.entries()) {
    const id = newId("chunk");
    const keys = termKeys(document.collectionId, chunk);
    writeChunk(copy, document, { ...chunk, id, ordinal, keys });
    rows.termKeys.push(keys);
    const point = vectors?.points[ordinal];
    if (vectors && point) {
      const row: VectorRow = {
        space: vectors.space,
        id,
        source_type: document.sourceType,
        embedding: toVectorSql(point),
      };
      rows.vectors.push(JSON.stringify(row));
    }
    if ((ordinal + 1) % CHUNKS_PER_TURN === 0) {
      rows.chunks.push(copy.take());
      await setImmediate();
    }
  }
  rows.chunks.push(copy.take());
  return { document, read, rows };
}

/** Five digits are more than a halfvec stores. */
export function toVectorSql(point: Float32Array): string | null {
  return toSql(Array.from(point, (value) => Number(value.toPrecision(5))));
}

export function toWeightsSql({ terms, weights }: Pick<ReadChunk, "terms" | "weights">) {
  const rounded = roundWeights(weights);
  // pgvector's package counts dimensions from 0, its SQL and our terms from 1.
  const entries = terms.map((term, index) => [term - 1, rounded[index] ?? 0] as const);
  return toSql(new SparseVector(new Map(entries), TERM_SPACE));
}

interface ChunkRow extends ReadChunk {
  id: string;
  ordinal: number;
  keys: readonly number[];
}

/** In the order of CHUNK_COLUMNS. */
function writeChunk(rows: CopyRows, document: IndexedDocument, chunk: ChunkRow): void {
  rows.row(CHUNK_COLUMNS.length);
  rows.text(chunk.id);
  rows.text(document.id);
  rows.text(document.collectionId);
  rows.text(document.accountId);
  rows.int4(chunk.ordinal);
  rows.text(document.sourceType);
  rows.text(chunk.text);
  rows.int4(chunk.charStart);
  rows.int4(chunk.charEnd);
  rows.int4(chunk.pageStart);
  rows.int4(chunk.pageEnd);
  rows.texts(chunk.headings);
  rows.int4(chunk.tokenCount);
  rows.texts(chunk.warnings);
  rows.text(LEXICON_VERSION);
  rows.int4s(chunk.keys);
  rows.sparsevec(TERM_SPACE, chunk.terms, roundWeights(chunk.weights));
}

/** Rounded alike for COPY and SQL text, so that a reindex stores the same weights. A chunk has few distinct ones. */
function roundWeights(weights: readonly number[]): number[] {
  const rounded = new Map<number, number>();
  return weights.map((weight) => {
    const value = rounded.get(weight) ?? Number(weight.toPrecision(6));
    rounded.set(weight, value);
    return value;
  });
}
