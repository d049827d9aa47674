import "server-only";

import { TERM_SPACE } from "@/lib/text/analyzer";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import type { ReadChunk } from "../parse/pool";
import type { CopyRows } from "./copy-rows";

/** What the index needs of a document besides what was read. */
export interface IndexedDocument {
  id: string;
  collectionId: string;
  accountId: string;
  sourceType: string;
}

/** A chunk where it stands in its document, with its keys in the collection's index. */
interface PlacedChunk extends ReadChunk {
  id: string;
  ordinal: number;
  keys: readonly number[];
}

export const CHUNK_COLUMNS = [
  ...["id", "document_id", "collection_id", "account_id", "ordinal", "source_type", "text"],
  ...["char_start", "char_end", "page_start", "page_end", "headings", "token_count", "warnings"],
  ...["lexicon_version", "term_keys", "weights"],
];

/** In the order of CHUNK_COLUMNS. */
export function writeChunk(rows: CopyRows, document: IndexedDocument, chunk: PlacedChunk): void {
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
  rows.sparsevec(TERM_SPACE, chunk.terms, asWritten(chunk.weights));
}

export function toSparseText({ terms, weights }: Pick<ReadChunk, "terms" | "weights">): string {
  // A passage has as few weights as its terms have counts, and writing a number is dear.
  const written = new Map<number, string>();
  const entries = terms.map((term, index) => {
    const weight = weights[index] ?? 0;
    const text = written.get(weight) ?? writeWeight(weight);
    written.set(weight, text);
    return `${term}:${text}`;
  });
  return `{${entries.join(",")}}/${TERM_SPACE}`;
}

/** The weights that their text form has: those of one lexicon version are the same however they were stored. */
function asWritten(weights: readonly number[]): number[] {
  const written = new Map<number, number>();
  return weights.map((weight) => {
    const value = written.get(weight) ?? Number(writeWeight(weight));
    written.set(weight, value);
    return value;
  });
}

function writeWeight(weight: number): string {
  return weight.toPrecision(6);
}
