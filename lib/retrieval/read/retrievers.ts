import "server-only";

import { createHash } from "node:crypto";
import { queryUntil, type Row } from "@/lib/db/client";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import type { Candidate } from "../fuse";

/** Every retriever filters by this. Nothing outside it is ever read. */
export interface Scope {
  collectionIds: readonly string[];
  /** A second check behind the collections: the accounts whose passages the caller may read. */
  accountIds: readonly string[];
  sourceTypes: readonly string[] | null;
  /** The most candidates that one retriever returns. */
  depth: number;
}

/** The query for both retrievers, as pgvector's text. */
export interface QueryVectors {
  /** Each term's inverse document frequency. */
  terms: string | null;
  /** Null without an embedding model. */
  point: { space: string; dimensions: number; sql: string | null } | null;
}

interface CandidateRow extends Row {
  id: string;
  cosine: number | null;
  bm25: number;
}

/** The best chunks by BM25: the inner product of their weights with the terms' idf. */
export async function searchLexical(
  signal: AbortSignal,
  scope: Scope,
  { vectors, keys }: { vectors: QueryVectors; keys: readonly number[] },
): Promise<Candidate[]> {
  const { point, terms } = vectors;
  const values = [
    terms,
    keys,
    scope.collectionIds,
    scope.accountIds,
    scope.sourceTypes,
    scope.depth,
    LEXICON_VERSION,
  ];
  // The keys already select the collections. If their columns could use an index, the planner would intersect the
  // keys with all chunks of the collection; `|| ''` prevents that.
  const best = `SELECT c.id, -(c.weights <#> $1::sparsevec) AS bm25 FROM chunk c
      WHERE c.term_keys && $2::int[] AND c.collection_id || '' = ANY($3) AND c.account_id || '' = ANY($4)
        AND ($5::text[] IS NULL OR c.source_type = ANY($5)) AND c.lexicon_version = $7
      ORDER BY bm25 DESC, c.id LIMIT $6`;
  return point
    ? queryUntil<CandidateRow>(
        signal,
        `retrieval_lexical_${point.dimensions}`,
        `SELECT best.id, best.bm25, 1 - (v.embedding::halfvec(${point.dimensions}) <=> $8::halfvec(${point.dimensions})) AS cosine
           FROM (${best}) AS best LEFT JOIN chunk_vector v ON v.chunk_id = best.id AND v.space = $9`,
        [...values, point.sql, point.space],
      )
    : queryUntil<CandidateRow>(
        signal,
        "retrieval_lexical",
        `SELECT best.*, NULL::float8 AS cosine FROM (${best}) AS best`,
        values,
      );
}

/** The nearest chunks by cosine: from a collection's index, or by an exact scan, which is faster for a few thousand. */
export async function searchVectors(
  signal: AbortSignal,
  scope: Scope,
  { vectors, indexed }: { vectors: QueryVectors; indexed: ReadonlySet<string> },
): Promise<Candidate[]> {
  const { point } = vectors;
  if (!point) {
    return [];
  }
  const withIndex = scope.collectionIds.filter((id) => indexed.has(id));
  const without = scope.collectionIds.filter((id) => !indexed.has(id));
  const results = await Promise.all([
    ...withIndex.map((id) => nearestIndexed(signal, scope, { vectors, point, indexedId: id })),
    ...(without.length > 0
      ? [nearest(signal, { ...scope, collectionIds: without }, { vectors, point })]
      : []),
  ]);
  return results.flat();
}

/** With a filter, the index can return too few. Then few vectors match, and scanning them is cheap. */
async function nearestIndexed(
  signal: AbortSignal,
  scope: Scope,
  { indexedId, ...query }: Parameters<typeof nearest>[2] & { indexedId: string },
): Promise<CandidateRow[]> {
  const found = await nearest(signal, scope, { ...query, indexedId });
  return scope.sourceTypes && found.length < scope.depth
    ? nearest(signal, { ...scope, collectionIds: [indexedId] }, query)
    : found;
}

/**
 * A partial index is used only if the statement repeats its predicate literally. Other values that affect the plan's
 * cost are literals too, because PostgreSQL would otherwise never choose a generic plan. `array_position` keeps the
 * planner from estimating an account as too small for the index.
 */
function nearest(
  signal: AbortSignal,
  scope: Scope,
  {
    vectors,
    point,
    indexedId,
  }: { vectors: QueryVectors; point: NonNullable<QueryVectors["point"]>; indexedId?: string },
): Promise<CandidateRow[]> {
  const values: unknown[] = [vectors.terms, point.sql, scope.accountIds];
  const given = (value: unknown) => `$${values.push(value)}`;
  const type = `halfvec(${point.dimensions})`;
  const place = indexedId
    ? `collection_id = ${quoted(indexedId)} AND space = ${quoted(point.space)}`
    : `collection_id = ANY(${given(scope.collectionIds)}::text[]) AND space = ${given(point.space)}`;
  const ofTypes = scope.sourceTypes ? ` AND source_type = ANY(${given(scope.sourceTypes)})` : "";
  const distance = `embedding::${type} <=> $2::${type}`;
  // `+ 0` keeps an index from serving the order, so that the scan is exact.
  const order = indexedId ? distance : `(${distance}) + 0`;
  const text = `SELECT near.id, 1 - near.distance AS cosine, -(c.weights <#> $1::sparsevec) AS bm25
       FROM (SELECT chunk_id AS id, ${distance} AS distance FROM chunk_vector
              WHERE ${place} AND array_position($3::text[], account_id) IS NOT NULL${ofTypes}
              ORDER BY ${order} LIMIT ${scope.depth}) AS near
       JOIN chunk c ON c.id = near.id`;
  return queryUntil<CandidateRow>(signal, `retrieval_near_${digest(text)}`, text, values);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
