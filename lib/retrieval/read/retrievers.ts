import "server-only";

import { createHash } from "node:crypto";
import { queryUntil, type Row } from "@/lib/db/client";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import type { Candidate } from "../fuse";

/** What every leg's predicate holds: nothing outside it is ever read. */
export interface Scope {
  collectionIds: readonly string[];
  /** Whose passages the caller may read: a second wall behind the collections. */
  accountIds: readonly string[];
  sourceTypes: readonly string[] | null;
  /** How many candidates a leg gives at most. */
  depth: number;
}

/** The query in the terms of both legs. */
export interface QueryVectors {
  /** pgvector's text form of the terms' idf. */
  words: string;
  /** Null where no embedding model is configured. */
  point: { space: string; dimensions: number; text: string } | null;
}

interface CandidateRow extends Row {
  id: string;
  cosine: number | null;
  bm25: number;
}

/** The best chunks by BM25: the inner product of their stored weights with the query's idf. */
export async function searchLexical(
  signal: AbortSignal,
  scope: Scope,
  { vectors, keys }: { vectors: QueryVectors; keys: readonly number[] },
): Promise<Candidate[]> {
  const { point, words } = vectors;
  const values = [
    words,
    keys,
    scope.collectionIds,
    scope.accountIds,
    scope.sourceTypes,
    scope.depth,
    LEXICON_VERSION,
  ];
  // The keys are a collection's own. Its id or the account said as an index has them, the planner would intersect the
  // keys with all their chunks.
  const best = `SELECT c.id, -(c.weights <#> $1::sparsevec) AS bm25 FROM chunk c
      WHERE c.term_keys && $2::int[] AND c.collection_id || '' = ANY($3) AND c.account_id || '' = ANY($4)
        AND ($5::text[] IS NULL OR c.source_type = ANY($5)) AND c.lexicon_version = $7
      ORDER BY bm25 DESC, c.id LIMIT $6`;
  return point
    ? queryUntil<CandidateRow>(
        signal,
        `retrieval_words_${point.dimensions}`,
        `SELECT best.id, best.bm25, 1 - (v.embedding::halfvec(${point.dimensions}) <=> $8::halfvec(${point.dimensions})) AS cosine
           FROM (${best}) AS best LEFT JOIN chunk_vector v ON v.chunk_id = best.id AND v.space = $9`,
        [...values, point.text, point.space],
      )
    : queryUntil<CandidateRow>(
        signal,
        "retrieval_words",
        `SELECT best.*, NULL::float8 AS cosine FROM (${best}) AS best`,
        values,
      );
}

/**
 * The nearest chunks by cosine: through its own index where a collection has one, else by an exact
 * scan of the collections, which is faster and complete for those of a few thousand chunks.
 */
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
  const legs = await Promise.all([
    ...withIndex.map((id) => nearestIndexed(signal, scope, { vectors, point, indexedId: id })),
    ...(without.length > 0
      ? [nearest(signal, { ...scope, collectionIds: without }, { vectors, point })]
      : []),
  ]);
  return legs.flat();
}

/** The index gives up early where few of its vectors pass a filter; then they are few enough to scan. */
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
 * A partial index serves only a statement that says its predicate word for word, so that one is spelled out. So is
 * all that a plan's cost depends on: else the server holds a plan for any value to be dearer, and plans each time. Whose
 * the vectors are is asked as no statistic knows it: as one account of many they would seem too few for an index.
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
  const values: unknown[] = [vectors.words, point.text, scope.accountIds];
  const given = (value: unknown) => `$${values.push(value)}`;
  const type = `halfvec(${point.dimensions})`;
  const place = indexedId
    ? `collection_id = ${quoted(indexedId)} AND space = ${quoted(point.space)}`
    : `collection_id = ANY(${given(scope.collectionIds)}::text[]) AND space = ${given(point.space)}`;
  const ofTypes = scope.sourceTypes ? ` AND source_type = ANY(${given(scope.sourceTypes)})` : "";
  const distance = `embedding::${type} <=> $2::${type}`;
  // Added to, a distance is none that an index could order by: such a scan is exact.
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
