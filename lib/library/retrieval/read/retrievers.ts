import "server-only";

import { createHash } from "node:crypto";
import { type Collection, PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import type { Bind } from "@/lib/library/documents/read/filters";
import type {
  SearchedCollections,
  SelectedDocuments,
} from "@/lib/library/documents/read/selection";
import { TIERS } from "@/lib/library/documents/term-keys";
import { indexGroup, indexNameSql, isIndexUsed } from "@/lib/library/documents/vector-index";
import { queryReplica, type Row } from "@/lib/platform/db/client";
import { toIntArray } from "@/lib/platform/db/postgres-text";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import type { Candidate } from "../fuse";
import type { Pruning } from "../pruning";
import { keysOf, type WordStatistics } from "../query-terms";

/** Every retriever filters by this. Nothing outside it is ever read. */
export interface Scope extends SearchedCollections {
  /** Null for all documents. */
  documents: SelectedDocuments | null;
  includesRetracted: boolean;
  /** The most candidates that one retriever returns. */
  depth: number;
}

/** The query for both retrievers, as pgvector's text. */
interface QueryVectors {
  /** Each term's inverse document frequency. */
  terms: string | null;
  /** Null without an embedding model. */
  point: QueryPoint | null;
}

export interface QueryPoint {
  space: string;
  dimensions: number;
  sql: string | null;
}

type CandidateRow = Candidate & Row;

interface StatisticsRow extends Row {
  id: string;
  /** The place of a term in the arrays; null for the collection itself. */
  at: number | null;
  /** How many vectors the collection's index has; null without one. */
  entries: number | null;
}

const ofTiers = (write: (tier: number) => string) => [0, ...TIERS].map((_, tier) => write(tier));

/** A chunk that has a term's key of one tier has those below it, so for most terms one key is looked up. */
const STATISTICS_SQL = `SELECT c.id, NULL::int AS at,
            (SELECT t.reltuples::float8 FROM pg_class t JOIN pg_index i ON i.indexrelid = t.oid AND i.indisvalid
              WHERE t.oid = to_regclass(quote_ident(${indexNameSql("c.id", "$3")}))) AS entries,
            ${ofTiers((tier) => `${tier === 0 ? "c.chunk_count" : "NULL::int"} AS count_${tier}`)}
       FROM collection c WHERE c.id = ANY($1) AND c.account_id = ANY($4)
     UNION ALL
     SELECT f0.collection_id, k.at::int, NULL, ${ofTiers((tier) => `f${tier}.chunk_count`)}
       FROM unnest($2::int[], ${ofTiers((tier) => `$${5 + tier}::int[]`)})
            WITH ORDINALITY AS k(place, ${ofTiers((tier) => `key_${tier}`)}, at)
       ${ofTiers((tier) => frequencyOf(tier)).join("\n")}`;

/** LIMIT makes every plan look each key up. One made before the table had statistics would read the whole collection's. */
function frequencyOf(tier: number): string {
  const collection = tier === 0 ? "($1::text[])[k.place]" : `f${tier - 1}.collection_id`;
  return `${tier === 0 ? "" : "LEFT "}JOIN LATERAL (SELECT f.collection_id, f.chunk_count FROM document_frequency f
               WHERE f.collection_id = ${collection} AND f.term_key = k.key_${tier} AND f.account_id = ANY($4) LIMIT 1) f${tier} ON true`;
}

/**
 * Sizes of the collections and of their vector indexes in the space, and document frequencies of the query's terms.
 * Always includes the public collection, so that a small collection also knows which words are common.
 */
export async function readStatistics(
  signal: AbortSignal,
  collections: readonly Collection[],
  { terms, words, space }: { terms: readonly number[]; words?: number; space: string | null },
): Promise<WordStatistics & { indexes: ReadonlyMap<string, number> }> {
  const ids = [...new Set([PUBLIC_COLLECTION.id, ...collections.map(({ id }) => id)])];
  const accountIds = [PUBLIC_COLLECTION, ...collections].map(({ accountId }) => accountId);
  const counted = ids.flatMap((id, index) =>
    keysOf(id, terms, words).map((keys) => ({ place: index + 1, keys })),
  );
  const rows = await queryReplica<StatisticsRow>(signal, "retrieval_statistics", STATISTICS_SQL, [
    ...[ids, toIntArray(counted.map(({ place }) => place)), space, accountIds],
    ...ofTiers((tier) => toIntArray(counted.flatMap(({ keys }) => keys[tier] ?? []))),
  ]);
  const sizes = rows.filter(({ at }) => at === null);
  const counts = new Map(ids.map((id) => [id, new Map<number, number>()]));
  for (const row of rows) {
    const keys = counted[(row.at ?? 0) - 1]?.keys ?? [];
    for (const [tier, key] of keys.entries()) {
      counts.get(row.id)?.set(key, Number(row[`count_${tier}`] ?? 0));
    }
  }
  return {
    sizes: new Map(sizes.map(({ id, count_0 }) => [id, Number(count_0)])),
    indexes: new Map(sizes.flatMap(({ id, entries }) => (entries === null ? [] : [[id, entries]]))),
    counts,
  };
}

type LexicalQuery = QueryVectors & { keys: readonly number[] };

/** The best chunks by BM25: the inner product of their weights with the terms' idf. */
export async function searchLexical(
  signal: AbortSignal,
  scope: Scope,
  { pruning, ...query }: LexicalQuery & { pruning: Pruning | null },
): Promise<Candidate[]> {
  if (pruning && !listed(scope.documents)) {
    const found = await bestOf(signal, scope, { ...query, conditions: pruning.conditions });
    const isComplete = found.length === scope.depth;
    if (isComplete && found.every(({ bm25 }) => bm25 >= pruning.threshold)) {
      return found;
    }
  }
  return bestOf(signal, scope, { ...query, conditions: [] });
}

/** The best chunks that have one of the keys, and one of each condition; of few documents, all with a word of the query. */
function bestOf(
  signal: AbortSignal,
  scope: Scope,
  { point, terms, keys, conditions }: LexicalQuery & Pick<Pruning, "conditions">,
): Promise<CandidateRow[]> {
  const { collectionIds, accountIds, documents, includesRetracted, depth } = scope;
  const values: unknown[] = [terms, collectionIds, accountIds, LEXICON_VERSION, includesRetracted];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const candidates = listed(documents)
    ? `c.document_id = ANY(${bind(listed(documents))}) AND c.weights <#> $1::sparsevec < 0`
    : [keys, ...conditions]
        .map((any) => `c.term_keys && ${bind(toIntArray(any))}::int[]`)
        .join(" AND ");
  // The keys already select the collections. If their columns could use an index, the planner would intersect the
  // keys with all chunks of the collection; `|| ''` prevents that.
  const ranked = `SELECT c.id, c.document_id, c.account_id, -(c.weights <#> $1::sparsevec) AS bm25 FROM chunk c
      WHERE ${candidates} AND c.collection_id || '' = ANY($2) AND c.account_id || '' = ANY($3)
        AND c.lexicon_version = $4 AND ($5 OR NOT c.is_retracted)
      ORDER BY bm25 DESC, c.id`;
  const isSelected = ofSelected(documents, bind, "ranked.document_id");
  const best = isSelected
    ? `SELECT ranked.id, ranked.account_id, ranked.bm25 FROM (${ranked} OFFSET 0) AS ranked
        WHERE ${isSelected} ORDER BY ranked.bm25 DESC, ranked.id LIMIT ${depth}`
    : `${ranked} LIMIT ${depth}`;
  const type = point && `halfvec(${point.dimensions})`;
  const text = point
    ? `SELECT best.id, best.bm25, 1 - (v.embedding::${type} <=> ${bind(point.sql)}::${type}) AS cosine
         FROM (${best}) AS best LEFT JOIN chunk_vector v
              ON v.chunk_id = best.id AND v.account_id = best.account_id AND v.space = ${bind(point.space)}`
    : `SELECT best.id, best.bm25, NULL::float8 AS cosine FROM (${best}) AS best`;
  return queryReplica<CandidateRow>(signal, nameOf("lexical", text, documents), text, values);
}

/** The ids of few documents; undefined for many, or all. */
function listed(documents: SelectedDocuments | null): readonly string[] | undefined {
  return documents && "ids" in documents ? documents.ids : undefined;
}

/** Whether the document of a passage in `ranked` is selected; empty unless that has to be checked. */
function ofSelected(documents: SelectedDocuments | null, bind: Bind, id: string): string {
  return documents && "isSelected" in documents
    ? documents.isSelected(id, "ranked.account_id", bind)
    : "";
}

/** Callers make up conditions on documents: those statements aren't kept, and are planned for their values. */
function nameOf(kind: string, text: string, documents: SelectedDocuments | null): string {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return documents && "isSelected" in documents ? "" : `retrieval_${kind}_${digest}`;
}

type NearestQuery = QueryVectors & { point: QueryPoint };

interface Indexes extends Pick<WordStatistics, "sizes"> {
  /** How many vectors the index of a collection has, those of other collections included. */
  indexes: ReadonlyMap<string, number>;
}

/** The index that has a collection's vectors, and pgvector's `ef_search` for it. */
interface UsedIndex {
  id: string;
  effort: number;
}

/** Enough for recall@10 of 0.99 up to 50,000 vectors, and of 0.98 at 500,000: see e2e/bench/README.md#search. */
export function effortFor(entries: number, depth: number): number {
  const effort = Math.ceil(200 * Math.sqrt(entries / 500_000));
  return Math.max(60, Math.min(200, effort), depth);
}

/** The nearest chunks by cosine: from a collection's index, or by an exact scan. */
export async function searchVectors(
  signal: AbortSignal,
  scope: Scope,
  { indexes, sizes, ...query }: NearestQuery & Indexes,
): Promise<Candidate[]> {
  // Of a few documents, an exact scan is faster too, and the index would find almost none.
  const used = scope.collectionIds.flatMap((id): UsedIndex[] => {
    const entries = indexes.get(id);
    return entries !== undefined &&
      !listed(scope.documents) &&
      isIndexUsed(sizes.get(id) ?? 0, entries)
      ? [{ id, effort: effortFor(entries, scope.depth) }]
      : [];
  });
  const without = scope.collectionIds.filter((id) => used.every((index) => index.id !== id));
  const results = await Promise.all([
    ...used.map((index) => nearestIndexed(signal, scope, { ...query, index })),
    ...(without.length > 0 ? [nearest(signal, { ...scope, collectionIds: without }, query)] : []),
  ]);
  return results.flat();
}

/** The index can return too few: then few of its vectors match, and scanning them is cheap. */
async function nearestIndexed(
  signal: AbortSignal,
  scope: Scope,
  { index, ...query }: NearestQuery & { index: UsedIndex },
): Promise<CandidateRow[]> {
  const own = { ...scope, collectionIds: [index.id] };
  const found = await nearest(signal, own, { ...query, index });
  return found.length < scope.depth ? nearest(signal, own, query) : found;
}

/**
 * A partial index is used only if the statement repeats its predicate literally. Other values that affect the plan's
 * cost are literals or in subqueries, because PostgreSQL would otherwise never choose a generic plan. `array_position`
 * keeps the planner from estimating an account or a collection as too small for the index. The effort is set first
 * because the rest depends on it, and ends with the statement, so that a pooler's connections need no setting.
 */
function nearest(
  signal: AbortSignal,
  scope: Scope,
  { terms, point, index }: NearestQuery & { index?: UsedIndex },
): Promise<CandidateRow[]> {
  const values: unknown[] = [terms, point.sql, scope.accountIds];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const type = `halfvec(${point.dimensions})`;
  const { documents, depth } = scope;
  const ids = bind(scope.collectionIds);
  const place = index
    ? `right(collection_id, 1) = ${quoted(indexGroup(index.id))} AND space = ${quoted(point.space)}
                    AND array_position(${ids}::text[], collection_id) IS NOT NULL`
    : `collection_id = ANY((SELECT ${ids}::text[])::text[]) AND space = ${bind(point.space)}`;
  const ofListed = listed(documents)
    ? ` AND chunk_id = ANY(ARRAY(SELECT id FROM chunk WHERE document_id = ANY(${bind(listed(documents))})))`
    : "";
  const standing = scope.includesRetracted ? "" : " AND NOT is_retracted";
  const measured = `(embedding::${type} <=> (SELECT $2::${type}))`;
  // `+ 0` keeps an index from serving the order, so that the scan is exact.
  const distance = index ? measured : `${measured} + 0`;
  const effort = index
    ? `(SELECT set_config('hnsw.ef_search', ${bind(String(index.effort))}, true)) AS effort (is_set),`
    : "";
  const isSelected = ofSelected(
    documents,
    bind,
    "(SELECT k.document_id FROM chunk k WHERE k.id = ranked.chunk_id AND k.account_id = ranked.account_id)",
  );
  const ranked = `SELECT ranked.chunk_id, ranked.account_id, ${distance} AS distance FROM chunk_vector AS ranked
              WHERE ${place} AND array_position($3::text[], account_id) IS NOT NULL${ofListed}${standing}
                    ${index ? `AND effort.is_set IS NOT NULL ${isSelected && `AND ${isSelected}`}` : ""}
              ORDER BY distance`;
  // The index scan checks passages from the nearest on. An exact scan would check all of them before it sorts.
  const best =
    isSelected && !index
      ? `SELECT * FROM (${ranked} OFFSET 0) AS ranked WHERE ${isSelected} ORDER BY ranked.distance`
      : ranked;
  const text = `SELECT near.chunk_id AS id, 1 - near.distance AS cosine, -(c.weights <#> $1::sparsevec) AS bm25
       FROM ${effort} LATERAL (${best} LIMIT ${depth}) AS near
       JOIN chunk c ON c.id = near.chunk_id AND c.account_id = near.account_id`;
  return queryReplica<CandidateRow>(signal, nameOf("near", text, documents), text, values);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
