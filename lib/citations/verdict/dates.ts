import type { DateParts } from "./quantity";
import type { Token } from "./tokens";

interface ReadDate {
  /** Several when day and month are ambiguous: 03/04/2020. */
  dates: DateParts[];
  next: number;
}

const MONTHS = new Map(
  "january february march april may june july august september october november december"
    .split(" ")
    .flatMap((name, index) => [
      [name, index + 1] as const,
      ...(name === "may" ? [] : [[name.slice(0, 3), index + 1] as const]),
      ...(name === "september" ? [["sept", index + 1] as const] : []),
    ]),
);

/** Reads "5 March 2020", "March 5, 2020", "March 2020", "2020-03-05" or "5/3/2020". */
export function readDate(tokens: readonly Token[], at: number): ReadDate | null {
  return tokens[at]?.kind === "number"
    ? (readDayFirst(tokens, at) ?? readNumbers(tokens, at))
    : readMonthFirst(tokens, at);
}

function readDayFirst(tokens: readonly Token[], at: number): ReadDate | null {
  const day = wholeAt(tokens, at, 31);
  const month = monthAt(tokens, at + 1);
  if (!day || !month) {
    return null;
  }
  const comma = tokens[at + 2]?.text === "," ? 1 : 0;
  const year = yearAt(tokens, at + 2 + comma);
  return { dates: [{ year, month, day }], next: at + 2 + (year ? comma + 1 : 0) };
}

function readMonthFirst(tokens: readonly Token[], at: number): ReadDate | null {
  const month = monthAt(tokens, at);
  if (!month) {
    return null;
  }
  const year = yearAt(tokens, at + 1);
  if (year) {
    return { dates: [{ year, month, day: null }], next: at + 2 };
  }
  const day = wholeAt(tokens, at + 1, 31);
  if (!day) {
    return null;
  }
  const comma = tokens[at + 2]?.text === "," ? 1 : 0;
  const yearAfter = yearAt(tokens, at + 2 + comma);
  return {
    dates: [{ year: yearAfter, month, day }],
    next: at + 2 + (yearAfter ? comma + 1 : 0),
  };
}

function readNumbers(tokens: readonly Token[], at: number): ReadDate | null {
  const mark = tokens[at + 1]?.text ?? "";
  if (!/^[-/]$/.test(mark) || tokens[at + 3]?.text !== mark) {
    return null;
  }
  const [first, second, third] = [at, at + 2, at + 4].map((one) => wholeAt(tokens, one, 2100));
  if (!first || !second || !third) {
    return null;
  }
  const next = at + 5;
  if (isYear(first) && second <= 12 && third <= 31) {
    return { dates: [{ year: first, month: second, day: third }], next };
  }
  const dates = [
    { year: third, month: second, day: first },
    { year: third, month: first, day: second },
  ].filter(({ month, day }) => isYear(third) && month <= 12 && day <= 31);
  return dates.length > 0 ? { dates, next } : null;
}

function monthAt(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at];
  const month = token?.kind === "word" ? MONTHS.get(token.lower) : undefined;
  // "May" is only a month when capitalized.
  return month && /^\p{Lu}/u.test(token?.text ?? "") ? month : null;
}

function yearAt(tokens: readonly Token[], at: number): number | null {
  const year = wholeAt(tokens, at, 2100);
  return year && isYear(year) ? year : null;
}

export function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1800 && value <= 2100;
}

function wholeAt(tokens: readonly Token[], at: number, most: number): number | null {
  const text = tokens[at]?.text.replace(/(?:st|nd|rd|th)$/, "") ?? "";
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value > 0 && value <= most ? value : null;
}
