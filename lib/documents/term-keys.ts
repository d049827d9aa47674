import { createHash } from "node:crypto";
import type { TermWeights } from "@/lib/text/bm25";

/**
 * From these weights up a term has a further key in a chunk: where even the rarest term of a query is
 * common, the chunks that say it most are found without reading all that say it. Roughly: twice, three
 * times, and six times in a passage of average length.
 */
export const TIERS = [1.35, 1.55, 1.8];

/** Puts a term of a tier far away from the bare term and from those of other tiers. */
const TIER_STEP = 0x9e3779b9;
const SPREAD = 0x85ebca6b;

const salts = new Map<string, number>();
const SALT_CACHE_SIZE = 10_000;

/**
 * Every key of a passage in its collection: one for each term, and one more for each tier its weight reaches.
 * They rise, because the index sorts those of each passage, which costs it little when they are sorted.
 */
export function termKeys(collectionId: string, { terms, weights }: TermWeights): number[] {
  const salt = saltOf(collectionId);
  // Numbers are sorted fastest in a typed array, and taken out of it fastest one by one.
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

/** The key of a term in a collection: `tier` 0 stands for all its chunks, 1 and up for those of TIERS. */
export function termKey(collectionId: string, term: number, tier: number): number {
  return (tier === 0 ? term : tierOf(term, tier)) ^ saltOf(collectionId);
}

function tierOf(term: number, tier: number): number {
  return Math.imul(term ^ Math.imul(tier, TIER_STEP), SPREAD);
}

/** One index holds the keys of all collections: the salt keeps one tenant's search off another's entries. */
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
