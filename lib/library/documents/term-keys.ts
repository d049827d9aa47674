import { createHash } from "node:crypto";
import type { TermWeights } from "@/lib/text/bm25";
import { deletionsOf, maxEdits } from "@/lib/text/spelling";

/**
 * From each of these weights up, a term has another key in a chunk. If even the rarest term of a query is common, these
 * keys find the chunks that use it most: roughly twice, three times and six times in an average passage.
 */
export const TIERS = [1.35, 1.55, 1.8];

/** Spreads the keys of a term's tiers. */
const TIER_STEP = 0x9e3779b9;
const SPREAD = 0x85ebca6b;
const FNV_PRIME = 0x01000193;

const salts = new Map<string, number>();
const SALT_CACHE_SIZE = 10_000;

/** A passage's keys: one per term, and one more per tier that its weight reaches. Sorted, which speeds up the index. */
export function termKeys(collectionId: string, { terms, weights }: TermWeights): number[] {
  const salt = saltOf(collectionId);
  // The fastest way: sort in a typed array, then copy in a loop.
  const all = new Int32Array((1 + TIERS.length) * terms.length);
  let count = 0;
  for (let index = 0; index < terms.length; index += 1) {
    const term = terms[index] ?? 0;
    const weight = weights[index] ?? 0;
    all[count++] = term ^ salt;
    for (let tier = 1; tier <= TIERS.length && weight >= (TIERS[tier - 1] ?? 0); tier += 1) {
      all[count++] = tierOf(term, tier) ^ salt;
    }
  }
  return toNumbers(all.subarray(0, count).sort());
}

function toNumbers(sorted: Int32Array): number[] {
  const keys = new Array<number>(sorted.length);
  for (let index = 0; index < sorted.length; index += 1) {
    keys[index] = sorted[index] ?? 0;
  }
  return keys;
}

/** The key of a term in a collection. Tier 0 covers all its chunks, higher ones those of TIERS. */
export function termKey(collectionId: string, term: number, tier: number): number {
  return (tier === 0 ? term : tierOf(term, tier)) ^ saltOf(collectionId);
}

/** The term of a tier-0 key. */
export function termOfKey(collectionId: string, key: number): number {
  return key ^ saltOf(collectionId);
}

/** The keys under which a word of a collection's vocabulary is found. */
export function vocabularyKeys(collectionId: string, word: string): number[] {
  return deletionKeys(collectionId, deletionsOf(word, maxEdits(word)));
}

/** Deletions hashed with the collection (FNV-1a). Others with the same hash are recognized by their number of edits. */
export function deletionKeys(collectionId: string, deletions: Iterable<string>): number[] {
  const salt = saltOf(collectionId);
  return Array.from(deletions, (deletion) => {
    let hash = salt;
    for (let index = 0; index < deletion.length; index += 1) {
      hash = Math.imul(hash ^ deletion.charCodeAt(index), FNV_PRIME);
    }
    return hash;
  });
}

function tierOf(term: number, tier: number): number {
  return Math.imul(term ^ Math.imul(tier, TIER_STEP), SPREAD);
}

/** All collections share one index. The salt keeps a search from reading other tenants' entries. */
function saltOf(collectionId: string): number {
  const known = salts.get(collectionId);
  if (known !== undefined) {
    return known;
  }
  if (salts.size >= SALT_CACHE_SIZE) {
    salts.clear();
  }
  const salt = createHash("sha256").update(collectionId).digest().readInt32BE(0);
  salts.set(collectionId, salt);
  return salt;
}
