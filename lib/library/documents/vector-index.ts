import { env } from "@/lib/platform/env";

/**
 * Collections whose ids end with the same letter share one HNSW index in each embedding space: at most 32, however many
 * accounts there are, because ids end with a letter of Crockford's base 32.
 */
export function indexGroup(collectionId: string): string {
  return collectionId.slice(-1);
}

export const VECTOR_INDEX_PREFIX = "chunk_vector_near_";

/** SQL for the name of the index that a collection's vectors of a space are in. */
export function indexNameSql(collectionId: string, space: string): string {
  return `'${VECTOR_INDEX_PREFIX}' || right(${collectionId}, 1) || '_' || md5(${space})`;
}

/** How many times as many vectors as a collection its index may have. At 6, a search takes three times as long, with recall@10 of 0.98. */
export const MAX_INDEX_RATIO = 6;

/** Whether a collection's vectors are found in an index of `entries`, its own included, or by an exact scan. */
export function isIndexUsed(vectors: number, entries: number): boolean {
  return vectors >= env.VECTOR_INDEX_FROM && vectors * MAX_INDEX_RATIO >= entries;
}
