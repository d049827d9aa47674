import type { SentenceAnalysis } from "./analyze-passage";
import type { DateParts } from "./dates";
import type { Comparator, Quantity } from "./quantities";
import { wordOf } from "./words";

/** A number of a claim that the sentences don't support. It contradicts when they give a different one. */
export interface QuantityMismatch {
  reason: "number" | "unit" | "comparator";
  isContradiction: boolean;
}

interface QuantityInSentence {
  quantity: Quantity;
  analysis: SentenceAnalysis;
  /** How often the claim has the same number. */
  times: number;
}

/** With `isRepeated`, the claim repeats a sentence: a number that it has more often replaced another. */
export function mismatchesOf(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
  isRepeated: boolean,
): QuantityMismatch[] {
  const said = analyses.flatMap((analysis) =>
    analysis.quantities.map((quantity) => {
      const times = claim.quantities.filter(
        (own) => !own.isApproximate && isEqual(own, quantity),
      ).length;
      return { quantity, analysis, times };
    }),
  );
  // An ambiguous date has two readings; either may match.
  const readings = Map.groupBy(claim.quantities.entries(), ([at, { date, first }]) =>
    date ? `date ${first}` : at,
  );
  const mismatches = [...readings.values()].flatMap((ways) => {
    const found = ways.map(([, quantity]) => mismatchOf(claim, quantity, said));
    return found.includes(null) ? [] : (found[0] ?? []);
  });
  const isDoubled =
    isRepeated &&
    claim.quantities.filter((own) => isAmong(analyses, own)).length <= said.length &&
    said.some(
      ({ quantity, times }) =>
        times > said.filter((other) => isEqual(other.quantity, quantity)).length,
    );
  return isDoubled ? [...mismatches, { reason: "number", isContradiction: true }] : mismatches;
}

export function isAmong(analyses: readonly SentenceAnalysis[], quantity: Quantity): boolean {
  return analyses.some(({ quantities }) => quantities.some((other) => isEqual(quantity, other)));
}

function mismatchOf(
  claim: SentenceAnalysis,
  own: Quantity,
  said: readonly QuantityInSentence[],
): QuantityMismatch | null {
  const equal = said.filter(({ quantity }) => isEqual(own, quantity));
  if (equal.length > 0) {
    return comparatorMismatch(own, equal);
  }
  const rounded = said.filter(({ quantity }) => isRounded(own, quantity));
  if (rounded.length > 0) {
    return own.isApproximate ? null : { reason: "number", isContradiction: false };
  }
  if (said.some(({ quantity }) => admits(quantity, own))) {
    return { reason: "comparator", isContradiction: false };
  }
  const sameFigure = said.filter(({ quantity }) => isSameNumeral(own, quantity));
  if (sameFigure.length > 0) {
    const bothSay = own.key !== "" && sameFigure.some(({ quantity }) => quantity.key !== "");
    return { reason: "unit", isContradiction: bothSay };
  }
  // Numbers without a unit measure the same thing when they count the same noun.
  const isOther = said.some(
    ({ quantity, analysis, times }) =>
      times === 0 &&
      own.key === quantity.key &&
      (own.key !== "" ||
        countedBy(own, claim).some((word) => countedBy(quantity, analysis).includes(word))),
  );
  return { reason: "number", isContradiction: isOther };
}

function comparatorMismatch(
  own: Quantity,
  equal: readonly QuantityInSentence[],
): QuantityMismatch | null {
  const { implied, opposed } = COMPARATORS[own.comparator];
  const comparators = equal.map(({ quantity }) => quantity.comparator);
  return comparators.some((other) => implied.includes(other))
    ? null
    : {
        reason: "comparator",
        isContradiction: comparators.every((other) => opposed.includes(other)),
      };
}

/** What implies each bound ("more than 5" implies "at least 5", not vice versa), and what rules it out. */
const COMPARATORS: Record<Comparator, { implied: Comparator[]; opposed: Comparator[] }> = {
  eq: { implied: ["eq"], opposed: [] },
  ge: { implied: ["ge", "gt"], opposed: ["lt", "le"] },
  gt: { implied: ["gt"], opposed: ["lt", "le"] },
  le: { implied: ["le", "lt"], opposed: ["gt", "ge"] },
  lt: { implied: ["lt"], opposed: ["gt", "ge"] },
};

const TOLERANCE = 1e-6;

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
}

export function isEqual(one: Quantity, other: Quantity): boolean {
  if (one.date && other.date) {
    const { date } = other;
    const parts = Object.entries(one.date) as [keyof DateParts, number | null][];
    return parts.every(([part, own]) => own === null || own === date[part]);
  }
  // "In 2019" matches a date in that year.
  const isYearOfDate = one.key === "" && other.key === "date";
  return (one.key === other.key || isYearOfDate) && isNear(one.value, other.value);
}

/** Whether a number doesn't contradict another one: it is the same, that rounded, or within its bound. */
export function isCompatible(own: Quantity, other: Quantity): boolean {
  return isEqual(own, other) || isRounded(own, other) || admits(other, own);
}

/** Whether a bound leaves room for a number: "up to three weeks" for "two weeks". */
function admits({ comparator, key, value, date }: Quantity, own: Quantity): boolean {
  if (key !== own.key || date || own.date || own.comparator !== "eq") {
    return false;
  }
  const isBelow = comparator === "le" || comparator === "lt";
  const isAbove = comparator === "ge" || comparator === "gt";
  return (isBelow && own.value < value) || (isAbove && own.value > value);
}

/** Whether a number is another one with fewer significant digits: 30 is 31, or 28, rounded. */
function isRounded(own: Quantity, other: Quantity): boolean {
  const value = other.value / own.factor;
  const isFar = Math.abs(value - own.raw) > Math.abs(own.raw) / 2;
  const isBound = own.isRange && !own.isApproximate;
  if (own.key !== other.key || isFar || own.date || other.date || isBound || own.raw === 0) {
    return false;
  }
  const digits = countDigits(own.raw);
  return digits < countDigits(value) && isNear(Number(value.toPrecision(digits)), own.raw);
}

function countDigits(value: number): number {
  return Math.abs(value)
    .toPrecision(6)
    .replace(/e.*$/, "")
    .replace(".", "")
    .replace(/^0+|0+$/g, "").length;
}

function isSameNumeral(one: Quantity, other: Quantity): boolean {
  const isUnitless = one.key === "" && other.key === "";
  return !one.date && !other.date && !isUnitless && isNear(one.raw, other.raw);
}

/** The stems next to a number without a unit: "12 patients", "p = 0.03". */
function countedBy({ first, next }: Quantity, { tokens }: SentenceAnalysis): string[] {
  const before = [tokens[first - 1], tokens[first - 2]].find((token) => token?.kind === "word");
  return [tokens[next], before].flatMap((token) =>
    token?.kind === "word" ? ((token.word ?? wordOf(token.text)).stem ?? []) : [],
  );
}
