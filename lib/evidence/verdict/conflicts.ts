import { yieldIfLong } from "@/lib/event-loop";
import {
  type AnalyzedPassage,
  analyzeClaim,
  analyzePassage,
  type SentenceAnalysis,
} from "./analyze-passage";
import { sharedWeight } from "./coverage";
import type { Quantity } from "./quantities";
import { readTemplate } from "./quantity-binding";
import { isAmong } from "./quantity-check";
import type { ContentTerm } from "./words";

export interface CitedPassage {
  id: number;
  text: string;
  /** The title and headings above the text. */
  label?: string;
  /** Pass it to reuse an existing analysis of the text. */
  analyzed?: AnalyzedPassage;
}

/** Cited passages that give different numbers for what looks like the same quantity. */
export interface Conflict {
  /** The base unit: "g", "%", "mmHg", "times/day". */
  unit: string;
  terms: string[];
  /** The numbers as written, with UTF-16 offsets in their passages. */
  values: { id: number; text: string; start: number; end: number }[];
}

interface Measurement {
  id: number;
  quantity: Quantity;
  analysis: SentenceAnalysis;
  analyzed: AnalyzedPassage;
  /** The content words of its sentence. */
  terms: readonly ContentTerm[];
  near: readonly ContentTerm[];
  /** "Rose by 5%" and "fell by 3%" can both be true. */
  direction: string;
}

/** Minimum share of the shorter sentence's word weight that the other must contain. */
const MIN_SHARED = 0.7;
const MIN_NEAR = 0.5;
const MIN_TERMS = 3;
const NEAR_TERMS = 4;
/** Dates and numbers without a unit, such as p-values, differ between passages that agree. */
const UNCOMPARED = new Set(["", "date"]);
/** Of a passage, and of all: each is compared with all others. */
const MAX_MEASUREMENTS = 60;
const MAX_COMPARED = 1000;
const MAX_CONFLICTS = 10;

/**
 * Finds quantities that cited passages give different numbers for: the same unit, in largely the same words. Favors
 * precision over recall. With claims, only quantities that share words with one of them count.
 */
export async function findConflicts(
  passages: readonly CitedPassage[],
  claims: readonly string[] = [],
): Promise<Conflict[]> {
  const measurements = await claimedOf(passages.flatMap(readMeasurements), claims);
  const found: Conflict[] = [];
  const used = new Set<Measurement>();
  for (const [at, measurement] of measurements.entries()) {
    if (used.has(measurement) || found.length >= MAX_CONFLICTS) {
      continue;
    }
    await yieldIfLong();
    const later = measurements.slice(at + 1);
    const others = later.filter((other) => !used.has(other) && disagree(measurement, other));
    // A second number of a passage is a different quantity.
    const firsts = [...Map.groupBy(others, ({ id }) => id).values()].flatMap(
      ([first]) => first ?? [],
    );
    if (firsts.length > 0) {
      for (const first of firsts) {
        used.add(first);
      }
      found.push(toConflict(measurement, firsts));
    }
  }
  return found;
}

/** Those that share words with a claim, if there are claims. */
async function claimedOf(
  measurements: readonly Measurement[],
  claims: readonly string[],
): Promise<Measurement[]> {
  const claimStems: ReadonlySet<string>[] = [];
  for (const claim of new Set(claims)) {
    await yieldIfLong();
    claimStems.push(new Set(analyzeClaim(claim).terms.map(({ stem }) => stem)));
  }
  const claimed: Measurement[] = [];
  for (const measurement of measurements.slice(0, MAX_COMPARED)) {
    await yieldIfLong();
    claimed.push(...(isClaimed(measurement, claimStems) ? [measurement] : []));
  }
  return claimed;
}

function readMeasurements({
  id,
  text,
  analyzed = analyzePassage(text),
}: CitedPassage): Measurement[] {
  return analyzed.analyses
    .filter(({ isAim }) => !isAim)
    .flatMap((analysis) =>
      analysis.quantities
        .filter(({ key, isRange }) => !UNCOMPARED.has(key) && !isRange)
        .map((quantity) => ({
          ...{ id, quantity, analysis, analyzed },
          terms: analysis.terms,
          near: nearOf(analysis, quantity),
          direction: directionOf(analysis),
        })),
    )
    .slice(0, MAX_MEASUREMENTS);
}

function nearOf({ terms }: SentenceAnalysis, { first, next }: Quantity): ContentTerm[] {
  const before = terms.filter(({ token }) => token < first).slice(-NEAR_TERMS);
  const after = terms.filter(({ token }) => token >= next).slice(0, NEAR_TERMS);
  return [...before, ...after];
}

function isClaimed({ terms }: Measurement, claimStems: readonly ReadonlySet<string>[]): boolean {
  return (
    claimStems.length === 0 ||
    claimStems.some(
      (stems) => terms.filter(({ stem }) => stems.has(stem)).length >= Math.min(2, terms.length),
    )
  );
}

function disagree(one: Measurement, other: Measurement): boolean {
  return (
    one.id !== other.id &&
    one.quantity.key === other.quantity.key &&
    one.quantity.comparator === other.quantity.comparator &&
    one.direction === other.direction &&
    isSameSubject(one, other) &&
    !isAmong(other.analyzed.analyses, one.quantity) &&
    !isAmong(one.analyzed.analyses, other.quantity)
  );
}

function directionOf({ terms, negations }: SentenceAnalysis): string {
  const directions = terms.flatMap(({ direction }) => (direction ? JSON.stringify(direction) : []));
  return `${negations.length} ${[...new Set(directions)].sort()}`;
}

function isSameSubject(one: Measurement, other: Measurement): boolean {
  const [short, long] = one.terms.length <= other.terms.length ? [one, other] : [other, one];
  const isSameSentence = templateOf(one) === templateOf(other) && one.terms.length > 0;
  return (
    (isSameSentence || sharedTerms(one, other).length >= MIN_TERMS) &&
    sharedWeight(short.terms, long.terms, false) >= MIN_SHARED &&
    sharedWeight(short.near, long.terms, false) >= MIN_NEAR &&
    // With a different number of values, we can't tell which belong together.
    countOf(one) === countOf(other)
  );
}

function templateOf({ analysis }: Measurement): string {
  return readTemplate(analysis).text;
}

function countOf({ analysis, quantity }: Measurement): number {
  return analysis.quantities.filter(({ key }) => key === quantity.key).length;
}

function sharedTerms(one: Measurement, other: Measurement): ContentTerm[] {
  const keys = new Set(other.terms.flatMap((term) => term.keys));
  const shared = one.terms.filter((term) => term.keys.some((key) => keys.has(key)));
  return [...new Map(shared.map((term) => [term.stem, term])).values()];
}

function toConflict(measurement: Measurement, others: readonly Measurement[]): Conflict {
  return {
    unit: measurement.quantity.key,
    terms: sharedTerms(measurement, others[0] ?? measurement).map(
      ({ token }) => measurement.analysis.tokens[token]?.lower ?? "",
    ),
    values: [measurement, ...others].map(({ id, quantity, analysis, analyzed }) => {
      const start = analyzed.folded.originalStart(analysis.tokens[quantity.first]?.start ?? 0);
      const end = analyzed.folded.originalEnd(analysis.tokens[quantity.next - 1]?.end ?? 0);
      return { id, text: analyzed.passage.slice(start, end), start, end };
    }),
  };
}
