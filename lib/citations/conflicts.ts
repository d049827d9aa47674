import { type AnalyzedPassage, analyzePassage, readClaim } from "./verdict/analyze-passage";
import type { Quantity } from "./verdict/quantity";
import { isEqual } from "./verdict/quantity-check";
import type { SentenceAnalysis } from "./verdict/analyze-sentence";
import type { ContentTerm } from "./verdict/words";

/** A passage as it was cited; `id` is the number of its citation. */
export interface CitedPassage {
  id: number;
  text: string;
  /** The text as `prepare` read it, where somebody has. */
  prepared?: AnalyzedPassage;
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

interface Figure {
  id: number;
  quantity: Quantity;
  reading: SentenceAnalysis;
  prepared: AnalyzedPassage;
  /** The content words of its sentence, and those right around it. */
  items: readonly ContentTerm[];
  near: readonly ContentTerm[];
}

/** Of the words of the shorter sentence, by weight, this much must stand in the other. */
const LEAST_SHARED = 0.7;
const LEAST_NEAR = 0.5;
const LEAST_TERMS = 3;
const NEAR_ITEMS = 4;
/** Time spans, dates and p-values differ between passages that agree. */
const UNCOMPARED = new Set(["", "date"]);
const MOST_FIGURES = 60;
const MOST_FOUND = 10;

/**
 * The quantities that cited passages give different numbers for: one unit, largely the same words around.
 * Precise rather than complete: two trials that measured alike are no disagreement unless they say it alike.
 * With claims, only what shares words with one of them.
 */
export function findConflicts(
  passages: readonly CitedPassage[],
  claims: readonly string[] = [],
): Conflict[] {
  const asked = claims.map((claim) => new Set(readClaim(claim).items.map(({ stem }) => stem)));
  const figures = passages.flatMap(readFigures).filter((figure) => isAsked(figure, asked));
  const found: Conflict[] = [];
  const used = new Set<Figure>();
  for (const [at, figure] of figures.entries()) {
    const others = used.has(figure)
      ? []
      : figures.slice(at + 1).filter((other) => !used.has(other) && disagree(figure, other));
    const one = onePerPassage(others);
    if (one.length > 0 && found.length < MOST_FOUND) {
      for (const each of [figure, ...one]) {
        used.add(each);
      }
      found.push(listed(figure, one));
    }
  }
  return found;
}

function readFigures({ id, text, prepared = analyzePassage(text) }: CitedPassage): Figure[] {
  return prepared.readings
    .filter(({ isAim }) => !isAim)
    .flatMap((reading) =>
      reading.quantities
        .filter(({ key, isRange }) => !UNCOMPARED.has(key) && !isRange)
        .map((quantity) => ({
          ...{ id, quantity, reading, prepared },
          items: reading.items,
          near: nearOf(reading, quantity),
        })),
    )
    .slice(0, MOST_FIGURES);
}

function nearOf({ items }: SentenceAnalysis, { first, next }: Quantity): ContentTerm[] {
  const before = items.filter(({ token }) => token < first).slice(-NEAR_ITEMS);
  const after = items.filter(({ token }) => token >= next).slice(0, NEAR_ITEMS);
  return [...before, ...after];
}

function isAsked({ items }: Figure, asked: readonly ReadonlySet<string>[]): boolean {
  return (
    asked.length === 0 ||
    asked.some((stems) => items.filter(({ stem }) => stems.has(stem)).length >= 2)
  );
}

function disagree(one: Figure, other: Figure): boolean {
  return (
    one.id !== other.id &&
    one.quantity.key === other.quantity.key &&
    one.quantity.comparator === other.quantity.comparator &&
    turnsAlike(one, other) &&
    speaksAlike(one, other) &&
    !isSaidBy(one, other) &&
    !isSaidBy(other, one)
  );
}

/** Whether the other passage gives the same number too, wherever it does. */
function isSaidBy({ quantity }: Figure, { prepared }: Figure): boolean {
  return prepared.readings.some(({ quantities }) =>
    quantities.some((other) => isEqual(quantity, other)),
  );
}

/** "Rose by 5 %" and "fell by 3 %" are two things that both may be so. */
function turnsAlike(one: Figure, other: Figure): boolean {
  const turns = ({ items }: Figure) =>
    new Set(
      items.flatMap(({ direction }) => (direction ? `${direction.axis}${direction.sign}` : [])),
    );
  const denials = one.reading.cues.length === other.reading.cues.length;
  const [own, its] = [turns(one), turns(other)];
  return denials && own.size === its.size && [...own].every((turn) => its.has(turn));
}

function speaksAlike(one: Figure, other: Figure): boolean {
  const [short, long] = one.items.length <= other.items.length ? [one, other] : [other, one];
  return (
    sharedTerms(one, other).length >= LEAST_TERMS &&
    shareOf(short.items, long.items) >= LEAST_SHARED &&
    shareOf(short.near, long.items) >= LEAST_NEAR &&
    // As many numbers of the unit in both, so that which belongs to which can be told.
    countOf(one) === countOf(other)
  );
}

function countOf({ reading, quantity }: Figure): number {
  return reading.quantities.filter(({ key }) => key === quantity.key).length;
}

function shareOf(items: readonly ContentTerm[], others: readonly ContentTerm[]): number {
  const keys = new Set(others.flatMap((item) => item.keys));
  let [all, shared] = [0, 0];
  for (const item of items) {
    all += item.word.weight;
    shared += item.keys.some((key) => keys.has(key)) ? item.word.weight : 0;
  }
  return all > 0 ? shared / all : 0;
}

function sharedTerms(one: Figure, other: Figure): ContentTerm[] {
  const keys = new Set(other.items.flatMap((item) => item.keys));
  const shared = one.items.filter((item) => item.keys.some((key) => keys.has(key)));
  return [...new Map(shared.map((item) => [item.stem, item])).values()];
}

/** The first number of each passage: a second one is another quantity of it. */
function onePerPassage(figures: readonly Figure[]): Figure[] {
  return [...new Map(figures.toReversed().map((figure) => [figure.id, figure])).values()].reverse();
}

function listed(figure: Figure, others: readonly Figure[]): Conflict {
  return {
    unit: figure.quantity.key,
    terms: sharedTerms(figure, others[0] ?? figure).map(
      ({ token }) => figure.reading.tokens[token]?.lower ?? "",
    ),
    values: [figure, ...others].map(({ id, quantity, reading, prepared }) => {
      const start = prepared.folded.startOf(reading.tokens[quantity.first]?.start ?? 0);
      const end = prepared.folded.endOf(reading.tokens[quantity.next - 1]?.end ?? 0);
      return { id, text: prepared.passage.slice(start, end), start, end };
    }),
  };
}
