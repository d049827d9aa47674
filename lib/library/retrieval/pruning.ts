import { TIERS, termKey } from "@/lib/library/documents/term-keys";
import { type KeyCounts, MAX_SATURATION, type WeightedTerm } from "./query-terms";

/** A collection that is searched. */
interface Searched {
  id: string;
  size: number;
  counts: KeyCounts;
  /** A candidate has one of these. */
  keys: readonly number[];
}

/** What a chunk must have to be among the best, unless the best are worse than expected. */
export interface Pruning {
  /** Only if the last of the best scores at least as much is the result complete. */
  threshold: number;
  /** A chunk that scores as much has at least one key of each. */
  conditions: number[][];
}

/** A term with its keys in a collection, from tier 0, and how many chunks have each. */
interface CountedTerm {
  weight: number;
  keys: number[];
  counts: number[];
}

/** The most that a term can weigh in a chunk that has none of its keys from tier 0, 1, … up; the last: whatever it has. */
const CEILINGS = [0, ...TIERS, MAX_SATURATION];
/** What a term roughly weighs, at least, in a chunk whose highest key is of tier 0, 1, …: only used to guess. */
const TYPICAL = [0.75, ...TIERS];
/** With fewer candidates, or more terms in each condition, scoring all costs less. */
const MIN_CANDIDATES = 300;
const MAX_TERMS = 12;
const MAX_CONDITIONS = 9;
/** Scores are single-precision sums, so a chunk just below the threshold counts as reaching it. */
const TOLERANCE = 0.999;
const BINS = 128;

/**
 * Which candidates can be among the best `depth` (MaxScore, with a ceiling per tier): guesses from how common the terms
 * are which score the last of them reaches, and derives conditions on term keys that any chunk with such a score meets.
 * Null if it isn't worth it.
 */
export function pruneCandidates(
  terms: readonly WeightedTerm[],
  collections: readonly Searched[],
  depth: number,
): Pruning | null {
  const counted = collections.map((collection) => countTerms(terms, collection));
  const candidates = collections
    .flatMap(({ keys, counts }) => keys.map((key) => counts.get(key) ?? 0))
    .reduce((sum, count) => sum + count, 0);
  if (terms.length > MAX_TERMS || candidates < MIN_CANDIDATES) {
    return null;
  }
  const threshold = guessThreshold(counted, collections, depth);
  if (threshold <= 0) {
    return null;
  }
  const each = counted.map((own) => conditionsOf(own, threshold));
  const length = Math.max(...each.map((own) => own.length));
  return {
    threshold,
    // A chunk is in one collection, so every condition names keys of all of them.
    conditions: Array.from({ length }, (_, index) =>
      each.flatMap((own) => own[index % own.length] ?? []),
    ),
  };
}

function countTerms(terms: readonly WeightedTerm[], { id, counts }: Searched): CountedTerm[] {
  return terms.flatMap(({ term, weight }) => {
    const keys = TYPICAL.map((_, tier) => termKey(id, term, tier));
    const each = keys.map((key) => counts.get(key) ?? 0);
    return each[0] ? [{ weight, keys, counts: each }] : [];
  });
}

/**
 * A score that about `depth` candidates reach if terms were independent. In texts they aren't: those of a query occur
 * together more often, so that the best usually score more.
 */
function guessThreshold(
  counted: readonly CountedTerm[][],
  collections: readonly Searched[],
  depth: number,
): number {
  const weights = counted.flatMap((terms) => terms.map(({ weight }) => weight));
  const [first = 0, second = 0] = [...new Set(weights)].sort((a, b) => b - a);
  const binWidth = (MAX_SATURATION * (first + second)) / BINS;
  const expected = new Float64Array(BINS + 1);
  for (const [index, terms] of counted.entries()) {
    const { size = 0, keys = [] as readonly number[] } = collections[index] ?? {};
    addScores(expected, { terms, size, binWidth, excluded: [] }, 1);
    if (terms.some((term) => !keys.includes(term.keys[0] ?? 0))) {
      addScores(expected, { terms, size, binWidth, excluded: keys }, -1);
    }
  }
  let reached = 0;
  for (let bin = BINS; bin > 0; bin -= 1) {
    reached += expected[bin] ?? 0;
    if (reached >= depth) {
      return bin * binWidth;
    }
  }
  return 0;
}

interface Scored {
  terms: readonly CountedTerm[];
  size: number;
  binWidth: number;
  /** Chunks with one of these keys don't count. */
  excluded: readonly number[];
}

/** Adds, or subtracts, how many of a collection's chunks have which score; the last bin includes all higher ones. */
function addScores(
  expected: Float64Array,
  { terms, size, binWidth, excluded }: Scored,
  sign: 1 | -1,
): void {
  let chunks = new Float64Array(BINS + 1);
  chunks[0] = size;
  for (const { weight, keys, counts } of terms) {
    const next = chunks.map((count) => count * (1 - Math.min(1, (counts[0] ?? 0) / size)));
    const firstExcluded = keys.findIndex((key) => excluded.includes(key));
    for (const tier of TYPICAL.keys().take(firstExcluded < 0 ? TYPICAL.length : firstExcluded)) {
      const share = Math.max(0, (counts[tier] ?? 0) - (counts[tier + 1] ?? 0)) / size;
      addShifted(next, chunks, { share, by: (weight * (TYPICAL[tier] ?? 0)) / binWidth });
    }
    chunks = next;
  }
  addShifted(expected, chunks, { share: sign, by: 0 });
}

/** Adds a share of each bin to the bin that is so much higher, or else to the last. */
function addShifted(
  target: Float64Array,
  source: Float64Array,
  { share, by }: { share: number; by: number },
): void {
  const shift = Math.floor(by);
  for (let bin = 0; share !== 0 && bin <= BINS; bin += 1) {
    const shifted = Math.min(BINS, bin + shift);
    target[shifted] = (target[shifted] ?? 0) + (source[bin] ?? 0) * share;
  }
}

/**
 * A condition leaves out, for each term, all its keys or those below a tier. Together, what the left-out keys can add to
 * a score stays below the threshold. The first leaves out the most common keys, each other one first all of one term, so
 * that together they say: no single term suffices.
 */
function conditionsOf(terms: readonly CountedTerm[], threshold: number): number[][] {
  const byFrequency = terms.toSorted((a, b) => (b.counts[0] ?? 0) - (a.counts[0] ?? 0));
  const cuts = [undefined, ...byFrequency.slice(0, MAX_CONDITIONS - 1)].map((term) =>
    leaveOut(terms, threshold * TOLERANCE, term),
  );
  const distinct = new Map(cuts.map((each) => [each.join(), each]));
  return [...distinct.values()].map((each) =>
    terms.flatMap(({ keys }, index) => keys[each[index] ?? 0] ?? []),
  );
}

/** The first tier of each term that the condition has; one tier too many if it has none. */
function leaveOut(
  terms: readonly CountedTerm[],
  budget: number,
  first: CountedTerm | undefined,
): number[] {
  const tiers = terms.map(() => 0);
  let left = budget;
  if (first) {
    const index = terms.indexOf(first);
    const tier = CEILINGS.findLastIndex((ceiling) => ceiling * first.weight < left);
    tiers[index] = tier;
    left -= first.weight * (CEILINGS[tier] ?? 0);
  }
  for (let step = bestStep(terms, tiers, left); step; step = bestStep(terms, tiers, left)) {
    tiers[step.index] = step.tier;
    left -= step.cost;
  }
  return tiers;
}

/** The affordable step that drops the most chunks for what their scores can be. */
function bestStep(terms: readonly CountedTerm[], tiers: readonly number[], budget: number) {
  let best: { index: number; tier: number; cost: number } | undefined;
  let bestRatio = 0;
  for (const [index, { weight, counts }] of terms.entries()) {
    const current = tiers[index] ?? 0;
    for (let tier = current + 1; tier < CEILINGS.length; tier += 1) {
      const cost = weight * ((CEILINGS[tier] ?? 0) - (CEILINGS[current] ?? 0));
      const ratio = ((counts[current] ?? 0) - (counts[tier] ?? 0)) / cost;
      if (cost < budget && ratio > bestRatio) {
        best = { index, tier, cost };
        bestRatio = ratio;
      }
    }
  }
  return best;
}
