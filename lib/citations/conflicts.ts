import { type AnalyzedPassage, analyzeClaim, analyzePassage } from "./verdict/analyze-passage";
import type { SentenceAnalysis } from "./verdict/analyze-sentence";
import type { Quantity } from "./verdict/quantity";
import { isEqual } from "./verdict/quantity-check";
import type { ContentTerm } from "./verdict/words";

/** A passage as it was cited; `id` is the number of its citation. */
export interface CitedPassage {
  id: number;
  text: string;
  /** The text as `prepare` read it, where somebody has. */
  analyzed?: AnalyzedPassage;
}

/** Two or more cited passages that give different numbers for what looks like one quantity. */
export interface Conflict {
  /** The kind of measure, by its base unit: "g", "%", "mmHg", "times/day". */
  unit: string;
  /** The words that the passages share around their numbers. */
  terms: string[];
  /** The numbers as they are written, with their UTF-16 offsets in their passages. */
  values: { id: number; text: string; start: number; end: number }[];
}

interface Measurement {
  id: number;
  quantity: Quantity;
  analysis: SentenceAnalysis;
  analyzed: AnalyzedPassage;
  /** The content words of its sentence, and those right around it. */
  terms: readonly ContentTerm[];
  near: readonly ContentTerm[];
}

/** Of the words of the shorter sentence, by weight, this much must stand in the other. */
const MIN_SHARED = 0.7;
const MIN_NEAR = 0.5;
const MIN_TERMS = 3;
const NEAR_TERMS = 4;
/** Time spans, dates and p-values differ between passages that agree. */
const UNCOMPARED = new Set(["", "date"]);
const MAX_MEASUREMENTS = 60;
const MAX_CONFLICTS = 10;

/**
 * The quantities that cited passages give different numbers for: one unit, largely the same words around.
 * Precise rather than complete: two trials that measured alike are no disagreement unless they say it alike.
 * With claims, only what shares words with one of them.
 */
export function findConflicts(
  passages: readonly CitedPassage[],
  claims: readonly string[] = [],
): Conflict[] {
  const claimStems = claims.map(
    (claim) => new Set(analyzeClaim(claim).terms.map(({ stem }) => stem)),
  );
  const measurements = passages
    .flatMap(readMeasurements)
    .filter((measurement) => isClaimed(measurement, claimStems));
  const found: Conflict[] = [];
  const used = new Set<Measurement>();
  for (const [at, measurement] of measurements.entries()) {
    const others = used.has(measurement)
      ? []
      : measurements
          .slice(at + 1)
          .filter((other) => !used.has(other) && disagree(measurement, other));
    const firsts = onePerPassage(others);
    if (firsts.length > 0 && found.length < MAX_CONFLICTS) {
      for (const each of [measurement, ...firsts]) {
        used.add(each);
      }
      found.push(toConflict(measurement, firsts));
    }
  }
  return found;
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
    claimStems.some((stems) => terms.filter(({ stem }) => stems.has(stem)).length >= 2)
  );
}

function disagree(one: Measurement, other: Measurement): boolean {
  return (
    one.id !== other.id &&
    one.quantity.key === other.quantity.key &&
    one.quantity.comparator === other.quantity.comparator &&
    isSameDirection(one, other) &&
    isSameSubject(one, other) &&
    !isAlsoIn(one, other) &&
    !isAlsoIn(other, one)
  );
}

/** Whether the other passage gives the same number too, wherever it does. */
function isAlsoIn({ quantity }: Measurement, { analyzed }: Measurement): boolean {
  return analyzed.analyses.some(({ quantities }) =>
    quantities.some((other) => isEqual(quantity, other)),
  );
}

/** "Rose by 5 %" and "fell by 3 %" are two things that both may be so. */
function isSameDirection(one: Measurement, other: Measurement): boolean {
  const directions = ({ terms }: Measurement) =>
    new Set(
      terms.flatMap(({ direction }) => (direction ? `${direction.axis}${direction.sign}` : [])),
    );
  const isSameCount = one.analysis.negations.length === other.analysis.negations.length;
  const [own, its] = [directions(one), directions(other)];
  return isSameCount && own.size === its.size && [...own].every((direction) => its.has(direction));
}

function isSameSubject(one: Measurement, other: Measurement): boolean {
  const [short, long] = one.terms.length <= other.terms.length ? [one, other] : [other, one];
  return (
    sharedTerms(one, other).length >= MIN_TERMS &&
    shareOf(short.terms, long.terms) >= MIN_SHARED &&
    shareOf(short.near, long.terms) >= MIN_NEAR &&
    // As many numbers of the unit in both, so that which belongs to which can be told.
    countOf(one) === countOf(other)
  );
}

function countOf({ analysis, quantity }: Measurement): number {
  return analysis.quantities.filter(({ key }) => key === quantity.key).length;
}

function shareOf(terms: readonly ContentTerm[], others: readonly ContentTerm[]): number {
  const keys = new Set(others.flatMap((term) => term.keys));
  let [all, shared] = [0, 0];
  for (const term of terms) {
    all += term.word.weight;
    shared += term.keys.some((key) => keys.has(key)) ? term.word.weight : 0;
  }
  return all > 0 ? shared / all : 0;
}

function sharedTerms(one: Measurement, other: Measurement): ContentTerm[] {
  const keys = new Set(other.terms.flatMap((term) => term.keys));
  const shared = one.terms.filter((term) => term.keys.some((key) => keys.has(key)));
  return [...new Map(shared.map((term) => [term.stem, term])).values()];
}

/** The first number of each passage: a second one is another quantity of it. */
function onePerPassage(measurements: readonly Measurement[]): Measurement[] {
  return [
    ...new Map(
      measurements.toReversed().map((measurement) => [measurement.id, measurement]),
    ).values(),
  ].reverse();
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
