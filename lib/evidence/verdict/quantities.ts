import { type DateParts, isYear, readDate } from "./dates";
import { readFrequency, readMeasure } from "./measures";
import { exact, readNumeral } from "./numerals";
import type { Token } from "./tokens";
import { daysIn, unitOf } from "./units";

/** A bound: "at least 5" is ge, "5" is eq. */
export type Comparator = "eq" | "ge" | "gt" | "le" | "lt";

export interface Quantity {
  /** In the base unit of its key. */
  value: number;
  raw: number;
  /** The base unit: "g", "mol/L", "%", "times/day", "date"; "" without a known unit. */
  key: string;
  /** The unit's size in base units, which distinguishes "5 mg" from "5 g". */
  factor: number;
  comparator: Comparator;
  isRange: boolean;
  /** "About 30". */
  isApproximate?: boolean;
  first: number;
  next: number;
  date?: DateParts;
}

interface Quantities {
  quantities: Quantity[];
  /** Tokens that belong to quantities, and so aren't terms or negations. */
  consumed: ReadonlySet<number>;
}

export function readQuantities(tokens: readonly Token[]): Quantities {
  const quantities: Quantity[] = [];
  for (let at = 0; at < tokens.length; ) {
    const found = readAt(tokens, at);
    quantities.push(...found);
    at = Math.max(at + 1, ...found.map(({ next }) => next));
  }
  shareUnits(tokens, quantities);
  markRanges(tokens, quantities);
  const bounded = quantities.map((quantity) => bound(tokens, quantity));
  return {
    quantities: bounded.filter((quantity) => !isPronoun(tokens, quantity)),
    consumed: consumedBy(bounded, tokens),
  };
}

const PLAIN = { factor: 1, comparator: "eq", isRange: false } as const;

function readAt(tokens: readonly Token[], at: number): Quantity[] {
  if (tokens[at]?.kind === "mark") {
    return readMeasured(tokens, at);
  }
  const read = readDate(tokens, at);
  if (read) {
    return read.dates.map((date) => {
      const value = date.year ?? 0;
      return { ...PLAIN, value, raw: value, key: "date", first: at, next: read.next, date };
    });
  }
  const frequency = readFrequency(tokens, at);
  return frequency ? [timesADay(frequency.perDay, at, frequency.next)] : readMeasured(tokens, at);
}

function readMeasured(tokens: readonly Token[], at: number): Quantity[] {
  const isNegative = isMinus(tokens, at);
  const numeral = readNumeral(tokens, isNegative ? at + 1 : at);
  if (!numeral) {
    return [];
  }
  const raw = isNegative ? -numeral.value : numeral.value;
  const measure = readMeasure(tokens, numeral.next);
  const { key: unit = currencyBefore(tokens, at), factor = 1 } = measure.unit ?? {};
  const key = numeral.key || unit;
  const next = numeral.key ? numeral.next : measure.next;
  const amount = { ...PLAIN, value: exact(raw * factor), raw, key, factor, first: at, next };
  return measure.perDay === null || numeral.key
    ? [amount]
    : [amount, timesADay(measure.perDay, next - 1, next)];
}

const CURRENCIES = /^(?:USD|EUR|GBP|CHF)$/;

/** "$4", "EUR 20". */
function currencyBefore(tokens: readonly Token[], at: number): string {
  const key = unitOf(tokens[at - 1]?.text ?? "")?.key ?? "";
  return CURRENCIES.test(key) ? key : "";
}

function timesADay(perDay: number, first: number, next: number): Quantity {
  return { ...PLAIN, value: exact(perDay), raw: perDay, key: "times/day", first, next };
}

/** Whether "-" is a minus sign rather than a hyphen or a range. */
function isMinus(tokens: readonly Token[], at: number): boolean {
  const [before, sign, number] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  return (
    sign?.text === "-" &&
    number?.kind === "number" &&
    !number.isSpaced &&
    (!before || (before.kind === "mark" && /^[(<>=≤≥,[:]$/.test(before.text)) || sign.isSpaced) &&
    before?.kind !== "number"
  );
}

/** In "period 2 and 26% in period 3", the first number isn't a percentage. */
const LABEL =
  /^(?:type|grade|stage|phase|period|group|class|cohort|arm|table|figure|step|visit|day|week|month|year)$/;

/** In "5, 10 and 15 mg", and in ranges, earlier numbers take the unit of the last. */
function shareUnits(tokens: readonly Token[], quantities: Quantity[]): void {
  for (let at = quantities.length - 2; at >= 0; at -= 1) {
    const [one, other] = [quantities[at], quantities[at + 1]];
    if (!one || !other || one.key !== "" || /^(?:date|times\/day|)$/.test(other.key)) {
      continue;
    }
    const isListed = tokens
      .slice(one.next, other.first)
      .every(({ lower }) => /^(?:,|and|or|to|-|\/|vs|versus|±|\+)$/.test(lower));
    const gap = other.first - one.next;
    const isLabel = LABEL.test(tokens[one.first - 1]?.lower ?? "");
    if (isListed && !isLabel && gap > 0 && gap <= 2 && !(isYear(one.raw) && !isYear(other.raw))) {
      const { key, factor } = other;
      quantities[at] = { ...one, key, factor, value: exact(one.raw * factor) };
    }
  }
}

/** Marks "5-10", "5 to 10" and "between 5 and 10". "1941-60" gets its century. */
function markRanges(tokens: readonly Token[], quantities: Quantity[]): void {
  for (let at = 0; at + 1 < quantities.length; at += 1) {
    const [low, high] = [quantities[at], quantities[at + 1]];
    if (!low || !high || high.first - low.next !== 1 || low.key !== high.key) {
      continue;
    }
    const separator = tokens[low.next]?.lower ?? "";
    const before = tokens[low.first - 1]?.lower;
    const isRange =
      /^(?:-|to|through|until)$/.test(separator) || (separator === "and" && before === "between");
    if (!isRange) {
      continue;
    }
    const century = isYear(low.raw) && high.raw > 0 && high.raw < 100 && high.key === "";
    const value = century ? low.raw - (low.raw % 100) + high.raw : high.value;
    quantities[at] = { ...low, isRange: true };
    quantities[at + 1] = { ...high, value, isRange: true };
  }
}

function bound(tokens: readonly Token[], quantity: Quantity): Quantity {
  // In "the maximum daily dose", the bound applies to the dose.
  const isAdverb = quantity.key === "times/day" && quantity.next - quantity.first === 1;
  if (quantity.key === "date" || isAdverb) {
    return quantity;
  }
  const isAge =
    ageAround(tokens, quantity).length > 0 || AGED.test(tokens[quantity.first - 2]?.lower ?? "");
  const isTime = daysIn(quantity) !== null && !isAge;
  const before = comparatorBefore(tokens, quantity.first, isTime);
  const first = quantity.first - (before?.count ?? 0);
  const after =
    before && before.comparator !== "eq" ? null : comparatorAfter(tokens, quantity.next);
  return {
    ...quantity,
    comparator: after?.comparator ?? before?.comparator ?? "eq",
    isApproximate: before?.isApproximate ?? false,
    first,
    next: quantity.next + (after?.count ?? 0),
  };
}

/** "One" in "one of the trials" isn't a quantity. */
function isPronoun(tokens: readonly Token[], { raw, key, first, next }: Quantity): boolean {
  return raw === 1 && key === "" && next - first === 1 && tokens[first]?.lower === "one";
}

const AGED = /^(?:aged|ages|age)$/;
const OLD = /^(?:old|olds|age)$/;

/** The tokens that make a number of years an age: "aged 65", "65-year-old", "65 years of age". */
function ageAround(tokens: readonly Token[], { first, next, key }: Quantity): number[] {
  if (key !== "month") {
    return [];
  }
  const after = /^(?:-|of)$/.test(tokens[next]?.lower ?? "") ? next + 1 : next;
  return [
    ...(OLD.test(tokens[after]?.lower ?? "") ? [after] : []),
    ...(AGED.test(tokens[first - 1]?.lower ?? "") ? [first - 1] : []),
  ];
}

function consumedBy(quantities: readonly Quantity[], tokens: readonly Token[]): Set<number> {
  const consumed = new Set<number>();
  for (const quantity of quantities) {
    for (let at = quantity.first; at < quantity.next; at += 1) {
      consumed.add(at);
    }
    for (const at of ageAround(tokens, quantity)) {
      consumed.add(at);
    }
  }
  return consumed;
}

interface ReadComparator {
  comparator: Comparator;
  isApproximate?: boolean;
  count: number;
}

/** Phrases before the number, longest first: "not more than" isn't "more than". */
const BEFORE: readonly (readonly [RegExp, Comparator])[] = [
  [/(?:^| )(?:no|not|never) (?:less|fewer|lower|smaller|younger|shorter) than$/, "ge"],
  [/(?:^| )(?:no|not|never) (?:more|greater|higher|larger|older|longer) than$/, "le"],
  [/(?:^| )not exceed(?:ing|ed)?$/, "le"],
  [/(?:^| )(?:greater|more|higher) than or equal to$/, "ge"],
  [/(?:^| )(?:less|lower|fewer) than or equal to$/, "le"],
  [/(?:^| )(?:at least|a minimum of|minimum of|minimum|> (?:or )?=|= >|≥)$/, "ge"],
  [/(?:^| )(?:at most|up to|a maximum of|maximum of|maximum|< (?:or )?=|= <|≤)$/, "le"],
  [
    /(?:^| )(?:(?:more|greater|higher|older|longer|larger|bigger) than|in excess of|exceed(?:s|ed|ing)?|above|>)$/,
    "gt",
  ],
  [/(?:^| )(?:(?:less|fewer|lower|younger|shorter|smaller) than|below|under|<)$/, "lt"],
  [/(?:^| )over$/, "gt"],
  [/(?:^| )within$/, "le"],
];
const AFTER: readonly (readonly [RegExp, Comparator])[] = [
  [/^(?:or|and) (?:more|greater|higher|above|older|over|longer|larger|upwards?)\b/, "ge"],
  [/^(?:or|and) (?:less|fewer|lower|below|younger|under|shorter|smaller)\b/, "le"],
];
const APPROXIMATE =
  /(?:^| )(?:about|approximately|approx|around|roughly|nearly|almost|circa|some|~|an estimated)$/;
const MAX_WORDS = 5;

/** Reads a comparator before a number. "Over 5 years" is a duration, not a bound. */
function comparatorBefore(
  tokens: readonly Token[],
  at: number,
  isTime: boolean,
): ReadComparator | null {
  const words = tokens.slice(Math.max(0, at - MAX_WORDS), at).map(({ lower }) => lower);
  const about = APPROXIMATE.exec(words.join(" "));
  const skipped = about ? countWords(about[0]) : 0;
  const said = words.slice(0, words.length - skipped).join(" ");
  for (const [form, comparator] of BEFORE) {
    const [found = ""] = form.exec(said) ?? [];
    if (found) {
      const isDuration = isTime && /(?:over|within)$/.test(found);
      return isDuration
        ? null
        : { comparator, isApproximate: skipped > 0, count: skipped + countWords(found) };
    }
  }
  return skipped > 0 ? { comparator: "eq", isApproximate: true, count: skipped } : null;
}

/** Reads a comparator after a number and its unit: "or more", "and above", "+". */
function comparatorAfter(tokens: readonly Token[], at: number): ReadComparator | null {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first?.text === "+" && !first.isSpaced && second?.kind !== "number" && second?.text !== "/") {
    return { comparator: "ge", count: 1 };
  }
  const said = `${first?.lower} ${second?.lower}`;
  const found = AFTER.find(([form]) => form.test(said));
  return found ? { comparator: found[1], count: 2 } : null;
}

function countWords(said: string): number {
  return said.trim().split(" ").length;
}
