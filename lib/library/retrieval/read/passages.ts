import "server-only";

import type { DocumentAccess } from "@/lib/library/documents/collections";
import { accessCondition } from "@/lib/library/documents/read/selection";
import type { Standing } from "@/lib/library/documents/schema";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { queryUntil, type Row } from "@/lib/platform/db/client";
import type { Ranked } from "../fuse";
import { type Excerpt, MAX_DISTANCE, type Neighbor, widen } from "../neighbors";
import type { Explanation, FoundPassage } from "../schema";

/** A chunk that a search found, with its place in its document. */
export interface Passage {
  scope: KnowledgeScope;
  chunkId: string;
  documentId: string;
  title: string;
  sourceType: string;
  /** From 0 to 1, to 4 places. */
  similarity: number;
  /** Scores and ranks by retriever. */
  ranks: Ranked;
  text: string;
  url: string | null;
  publishedAt: Date | null;
  headings: string[];
  pageStart: number | null;
  pageEnd: number | null;
  charStart: number;
  charEnd: number;
  /** Offsets at which the document's pages begin, from page 1. */
  pageStarts: number[] | null;
  /** Ranges of the document's text that were recognized in images and may be wrong: start and end of each in turn. */
  uncertain: number[] | null;
  /** Codes, such as hidden_text. */
  warnings: string[];
  metadata: Record<string, unknown>;
  standing: Standing;
  /** What a model is shown, if it is more than the passage. */
  shown?: Excerpt;
}

/** A passage that no search ranked. */
export type StoredPassage = Omit<Passage, "similarity" | "ranks" | "shown">;

const PASSAGE_COLUMNS = `d.scope, c.id AS "chunkId", c.document_id AS "documentId", d.title, d.source_type AS "sourceType", c.text,
            d.url, d.published_at AS "publishedAt", c.headings, c.page_start AS "pageStart", c.page_end AS "pageEnd",
            c.char_start AS "charStart", c.char_end AS "charEnd", d.page_starts AS "pageStarts", d.uncertain_ranges AS uncertain, c.warnings, d.metadata, d.standing`;

/** Passages of documents that the access allows by their chunk ids, in any order, without those that aren't there. */
export async function findPassages(
  signal: AbortSignal,
  chunkIds: readonly string[],
  access: DocumentAccess,
): Promise<StoredPassage[]> {
  const rows = await queryUntil<StoredPassage & Row>(
    signal,
    "retrieval_passages_by_id",
    `SELECT ${PASSAGE_COLUMNS}
       FROM chunk c JOIN document d ON d.id = c.document_id AND d.account_id = c.account_id
      WHERE c.id = ANY((SELECT $1::text[])::text[]) AND ${accessCondition(["$2", "$3"])}`,
    [chunkIds, ...access],
  );
  return rows.map((row) => ({ ...row, scope: KnowledgeScope.parse(row.scope) }));
}

/** The texts and places of the chunks found, in the same order, without those deleted meanwhile. */
export async function readPassages(
  signal: AbortSignal,
  found: readonly Ranked[],
): Promise<Passage[]> {
  if (found.length === 0) {
    return [];
  }
  const rows = await queryUntil<StoredPassage & Row>(
    signal,
    "retrieval_passages",
    // In a subquery the number of ids doesn't affect the plan's cost, so PostgreSQL caches the plan.
    `SELECT ${PASSAGE_COLUMNS}
       FROM chunk c JOIN document d ON d.id = c.document_id AND d.account_id = c.account_id
      WHERE c.id = ANY((SELECT $1::text[])::text[])`,
    [found.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.chunkId, row]));
  return found.flatMap((ranks) => {
    const row = byId.get(ranks.id);
    return row
      ? [
          {
            ...row,
            scope: KnowledgeScope.parse(row.scope),
            similarity: ranks.similarity,
            ranks,
            warnings: row.warnings ?? [],
          },
        ]
      : [];
  });
}

/** The passages with their neighbors in `shown`. A chunk with warnings is never added to another, unless it was just recognized in an image. */
export async function readNeighbors(signal: AbortSignal, passages: Passage[]): Promise<Passage[]> {
  if (passages.length === 0) {
    return [];
  }
  const ids = passages.map(({ chunkId }) => chunkId);
  const rows = await queryUntil<Neighbor & { passageId: string } & Row>(
    signal,
    "retrieval_neighbors",
    `SELECT c.id AS "passageId", n.id, n.text, n.char_start AS "charStart", n.char_end AS "charEnd",
            n.token_count AS "tokenCount", n.ordinal - c.ordinal AS distance
       FROM chunk c
       JOIN chunk n ON n.document_id = c.document_id AND n.account_id = c.account_id AND n.id <> c.id
        AND n.ordinal BETWEEN c.ordinal - ${MAX_DISTANCE} AND c.ordinal + ${MAX_DISTANCE} AND n.headings = c.headings
      WHERE c.id = ANY((SELECT $1::text[])::text[]) AND n.warnings <@ '{recognized_text}'`,
    [ids],
  );
  const shown = new Set(ids);
  return passages.map((passage) => {
    const neighbors = rows.filter(({ passageId }) => passageId === passage.chunkId);
    return { ...passage, shown: widen(passage, neighbors, shown) };
  });
}

const MAX_EXCERPT = 300;

/** At most the first 300 characters, cut at a word. */
export function excerptOf(text: string): string {
  if (text.length <= MAX_EXCERPT) {
    return text;
  }
  const head = text.slice(0, MAX_EXCERPT);
  const lastSpace = head.search(/\s+\S*$/u);
  const cut = lastSpace > 0 ? head.slice(0, lastSpace) : head;
  // Drop half a surrogate pair at the end.
  return `${cut.replace(/[\uD800-\uDBFF]$/u, "").trimEnd()}…`.slice(0, MAX_EXCERPT);
}

/** The document's metadata and the passage's place in it. */
export function passageMetadata(passage: StoredPassage): Record<string, unknown> {
  const known = {
    url: passage.url,
    page: passage.pageStart,
    page_end: passage.pageEnd !== passage.pageStart ? passage.pageEnd : null,
    section: passage.headings.join(" › ") || null,
    published_at: passage.publishedAt?.toISOString().slice(0, 10) ?? null,
    char_start: passage.charStart,
    char_end: passage.charEnd,
    warnings: passage.warnings.length > 0 ? passage.warnings : null,
  };
  const present = Object.entries(known).filter(([, value]) => value !== null);
  return { ...passage.metadata, ...Object.fromEntries(present) };
}

export function toFoundPassage(passage: Passage): FoundPassage {
  return {
    scope: passage.scope,
    chunk_id: passage.chunkId,
    document_id: passage.documentId,
    title: passage.title,
    source_type: passage.sourceType,
    similarity: passage.similarity,
    ...standingOf(passage),
    excerpt: excerptOf(passage.text),
    metadata: passageMetadata(passage),
  };
}

/** Marks a citation of a document that isn't current. */
export function standingOf({ standing }: StoredPassage): Pick<FoundPassage, "document"> {
  return standing === "current" ? {} : { document: { standing } };
}

export function explain(ranks: Ranked): Explanation {
  return {
    vector_rank: ranks.vectorRank,
    lexical_rank: ranks.lexicalRank,
    vector_score: ranks.cosine === null ? null : rounded(ranks.cosine),
    lexical_score: rounded(ranks.bm25),
    vector_z: ranks.z === null ? null : rounded(ranks.z),
    lexical_similarity: ranks.words,
    vector_part: rounded(ranks.vectorPart),
    lexical_part: rounded(ranks.lexicalPart),
    score: rounded(ranks.score),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
