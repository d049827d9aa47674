import "server-only";

import { query, queryReplica } from "@/lib/platform/db/client";
import { type DocumentAccess, isWhole } from "../collections";
import type { Filter } from "../filter-schema";
import { type Bind, filterCondition } from "./filters";

/** Which documents of the searched or listed collections to read: those that meet every member that is present. */
export interface DocumentSelection {
  ids?: readonly string[] | undefined;
  /** In upper or lower case. */
  sourceTypes?: readonly string[] | undefined;
  filter?: Filter | undefined;
  /** Those of vector stores, and all of some collections. */
  stores?: { storeIds: readonly string[]; collectionIds: readonly string[] } | undefined;
}

/** The selected documents if they are few, or else SQL that is true for the id of a selected document of an account. */
export type SelectedDocuments =
  | { ids: readonly string[] }
  | { isSelected: (id: string, accountId: string, bind: Bind) => string };

/** Up to these numbers, reading all passages of the documents is faster than checking the document of each passage found. */
const MAX_LISTED_DOCUMENTS = 2000;
const MAX_LISTED_CHUNKS = 4000;

/** The collections of a search and, as a second check, the accounts whose documents the caller may read. */
export interface SearchedCollections {
  collectionIds: readonly string[];
  accountIds: readonly string[];
  /** What the key is bound to, as in `DocumentAccess`. */
  bound: readonly string[] | null;
}

/** SQL that is true for a document `d` that a caller may access; the places are those of a `DocumentAccess`. */
export function accessCondition([collectionIds, bound]: readonly [string, string]): string {
  return `d.collection_id = ANY(${collectionIds}) AND ${boundCondition(bound)}`;
}

/** Whether a document `d` exists for a key that is bound to what `bound` stands for. */
export function boundCondition(bound: string): string {
  return `(${bound}::text[] IS NULL OR d.collection_id = ANY(${bound}) OR EXISTS (SELECT FROM vector_store_file b
      WHERE b.store_id = ANY(${bound}) AND b.document_id = d.id AND b.account_id = d.account_id))`;
}

/** The rows whose documents exist for a key that is bound to `bound`. */
export async function keepBound<T extends { documentId: string }>(
  bound: DocumentAccess[1],
  rows: readonly T[],
): Promise<readonly T[]> {
  if (bound === null || rows.length === 0) {
    return rows;
  }
  const there = await query<{ id: string }>(
    "documents_bound",
    `SELECT d.id FROM document d WHERE d.id = ANY($1) AND ${boundCondition("$2")}`,
    [rows.map(({ documentId }) => documentId), bound],
  );
  return rows.filter(({ documentId }) => there.some(({ id }) => id === documentId));
}

/** The conditions of a selection on a document `d` of the collections; none if it selects every document. */
export function selectionConditions(
  { ids, sourceTypes, filter, stores }: DocumentSelection,
  collectionIds: readonly string[],
  bind: Bind,
): string[] {
  const ofTypes: Filter[] = sourceTypes
    ? [{ type: "in", key: "source_type", value: [...sourceTypes] }]
    : [];
  const filters = [...ofTypes, ...(filter ? [filter] : [])];
  return [
    ...(ids ? [`d.id = ANY(${bind(ids)})`] : []),
    ...(stores ? [storesCondition(stores, bind)] : []),
    ...filters.map((each) => filterCondition(each, collectionIds, bind)),
  ];
}

function storesCondition(
  { storeIds, collectionIds }: NonNullable<DocumentSelection["stores"]>,
  bind: Bind,
): string {
  const isMember = `EXISTS (SELECT FROM vector_store_file m
      WHERE m.store_id = ANY(${bind(storeIds)}) AND m.document_id = d.id AND m.account_id = d.account_id)`;
  return collectionIds.length > 0
    ? `(d.collection_id = ANY(${bind(collectionIds)}) OR ${isMember})`
    : isMember;
}

/** Which documents of the collections a search may read; null if the selection doesn't restrict them. */
export async function findSelected(
  signal: AbortSignal,
  { collectionIds, accountIds, bound }: SearchedCollections,
  selection: DocumentSelection,
): Promise<SelectedDocuments | null> {
  const isNarrowed = collectionIds.some((id) => !isWhole(id, bound));
  const conditionsFor = (bind: Bind) => [
    ...(isNarrowed ? [boundCondition(bind(bound))] : []),
    ...selectionConditions(selection, collectionIds, bind),
  ];
  const values: unknown[] = [collectionIds, accountIds];
  const conditions = conditionsFor((value) => `$${values.push(value)}`);
  if (conditions.length === 0) {
    return null;
  }
  // Unnamed, because callers make up the conditions, and so that the plan is made for their values.
  const rows = await queryReplica<{ id: string; chunk_count: number }>(
    signal,
    "",
    `SELECT d.id, d.chunk_count FROM document d
      WHERE d.collection_id = ANY($1) AND d.account_id = ANY($2) AND ${conditions.join(" AND ")}
      LIMIT ${MAX_LISTED_DOCUMENTS + 1}`,
    values,
  );
  const chunks = rows.reduce((sum, { chunk_count }) => sum + chunk_count, 0);
  return rows.length <= MAX_LISTED_DOCUMENTS && chunks <= MAX_LISTED_CHUNKS
    ? { ids: rows.map(({ id }) => id) }
    : {
        // A scalar, because the planner would turn EXISTS into a join with all documents that meet the conditions.
        isSelected: (id, accountId, bind) =>
          `(SELECT true FROM document d WHERE d.id = ${id} AND d.account_id = ${accountId} AND ${conditionsFor(bind).join(" AND ")})`,
      };
}
