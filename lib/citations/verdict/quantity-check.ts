import type { SentenceAnalysis } from "./analyze-sentence";
import type { Comparator } from "./comparators";
import type { Quantity } from "./quantities";
import { wordOf } from "./words";

/** A number of a claim that the sentences don't support. It contradicts when they give a different one. */
export interface QuantityMismatch {
  reason: "number" | "unit" | "comparator";
  isContradiction: boolean;
}

interface QuantityInSentence {
  quantity: Quantity;
  analysis: SentenceAnalysis;
}

interface CountedQuantity extends QuantityInSentence {
  times: number;
}

/**
 * Finds the numbers of a claim that the sentences don't support. With `isRepeated`, the claim repeats a
 * sentence, so a number that it has more often has replaced another one.
 */
export function mismatchesOf(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
  isRepeated: boolean,
): QuantityMismatch[] {
  const said = analyses.flatMap((analysis) =>
    analysis.quantities.map((quantity) => {
      const times = claim.quantities.filter((own) => isEqual(own, quantity)).length;
      return { quantity, analysis, times };
    }),
  );
  const mismatches = waysOf(claim).flatMap((ways) => {
    const found = ways.map((quantity) => mismatchOf({ quantity, analysis: claim }, said));
    return found.includes(null) ? [] : found.slice(0, 1).flatMap((mismatch) => mismatch ?? []);
  });
  const isDoubled =
    isRepeated &&
    said.some(({ quantity, times }) => {
      const its = said.filter((other) => isEqual(other.quantity, quantity)).length;
      return times > its;
    });
  return isDoubled ? [...mismatches, { reason: "number", isContradiction: true }] : mismatches;
}

/** Groups the two readings of an ambiguous date; either may match. */
function waysOf({ quantities }: SentenceAnalysis): Quantity[][] {
  const ways = new Map<string, Quantity[]>();
  for (const [at, quantity] of quantities.entries()) {
    const place = quantity.date ? `date ${quantity.first}` : `${at}`;
    ways.set(place, [...(ways.get(place) ?? []), quantity]);
  }
  return [...ways.values()];
}

export function countMatches(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
): number {
  return claim.quantities.filter((one) =>
    analyses.some(({ quantities }) => quantities.some((other) => isEqual(one, other))),
  ).length;
}

function mismatchOf(
  own: QuantityInSentence,
  said: readonly CountedQuantity[],
): QuantityMismatch | null {
  const equal = said.filter(({ quantity }) => isEqual(own.quantity, quantity));
  if (equal.length > 0) {
    return comparatorMismatch(own.quantity, equal);
  }
  const sameFigure = said.filter(({ quantity }) => isSameNumeral(own.quantity, quantity));
  if (sameFigure.length > 0) {
    const bothSay =
      own.quantity.key !== "" && sameFigure.some(({ quantity }) => quantity.key !== "");
    return { reason: "unit", isContradiction: bothSay };
  }
  const isOther = said.some((other) => other.times === 0 && isSameMeasure(own, other));
  return { reason: "number", isContradiction: isOther };
}

const OPPOSED: Record<Comparator, string> = {
  eq: "",
  ge: "lt le",
  gt: "lt le",
  le: "gt ge",
  lt: "gt ge",
};

function comparatorMismatch(
  own: Quantity,
  equal: readonly QuantityInSentence[],
): QuantityMismatch | null {
  const comparators = equal.map(({ quantity }) => quantity.comparator);
  if (comparators.some((other) => follows(own.comparator, other))) {
    return null;
  }
  const isContradiction = comparators.every((other) => OPPOSED[own.comparator].includes(other));
  return { reason: "comparator", isContradiction: isContradiction && own.comparator !== "eq" };
}

/** Whether one bound implies another: "more than 5" implies "at least 5", not vice versa. */
function follows(own: Comparator, other: Comparator): boolean {
  return own === other || (own === "ge" && other === "gt") || (own === "le" && other === "lt");
}

const TOLERANCE = 1e-6;

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
}

export function isEqual(one: Quantity, other: Quantity): boolean {
  if (one.date && other.date) {
    const { year, month, day } = one.date;
    const is = (own: number | null, its: number | null) => own === null || own === its;
    return is(year, other.date.year) && is(month, other.date.month) && is(day, other.date.day);
  }
  // "In 2019" matches a date in that year.
  const isYearOfDate = one.key === "" && other.key === "date";
  return (one.key === other.key || isYearOfDate) && isNear(one.value, other.value);
}

function isSameNumeral(one: Quantity, other: Quantity): boolean {
  const isUnitless = one.key === "" && other.key === "";
  return !one.date && !other.date && !isUnitless && isNear(one.raw, other.raw);
}

/** Whether two numbers measure the same thing: same unit or, without a unit, the same counted noun. */
function isSameMeasure(own: QuantityInSentence, other: QuantityInSentence): boolean {
  const [one, two] = [own.quantity, other.quantity];
  if (one.key !== two.key) {
    return false;
  }
  return one.key !== "" || countedBy(own).some((word) => countedBy(other).includes(word));
}

/** The stems next to a number without a unit: "12 patients", "p = 0.03". */
function countedBy({ quantity, analysis }: QuantityInSentence): string[] {
  const after = analysis.tokens[quantity.next];
  const before = [quantity.first - 1, quantity.first - 2]
    .map((at) => analysis.tokens[at])
    .find((token) => token?.kind === "word");
  return [after, before].flatMap((token) => {
    const stem = token?.kind === "word" ? wordOf(token.text).stem : null;
    return stem ?? [];
  });
}
