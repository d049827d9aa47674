import type { Token } from "./tokens";

/** Unknown parts are null. */
export interface DateParts {
  year: number | null;
  month: number | null;
  day: number | null;
}

interface ReadDate {
  /** Several when day and month are ambiguous: 03/04/2020. */
  dates: DateParts[];
  next: number;
}

const MONTHS = new Map(
  "january february march april may june july august september october november december"
    .split(" ")
    .flatMap((name, index) => [name, name.slice(0, 3)].map((word) => [word, index + 1] as const)),
).set("sept", 9);

/** Reads "5 March 2020", "March 5, 2020", "March 2020", "2020-03-05" or "5/3/2020". */
export function readDate(tokens: readonly Token[], at: number): ReadDate | null {
  const isNumber = tokens[at]?.kind === "number";
  const month = monthAt(tokens, isNumber ? at + 1 : at);
  if (!month) {
    return isNumber ? readNumbers(tokens, at) : null;
  }
  const year = isNumber ? null : yearAt(tokens, at + 1);
  const day = wholeAt(tokens, isNumber ? at : at + 1, 31);
  if (year || !day) {
    return year ? { dates: [{ year, month, day: null }], next: at + 2 } : null;
  }
  const place = tokens[at + 2]?.text === "," ? at + 3 : at + 2;
  const yearAfter = yearAt(tokens, place);
  return { dates: [{ year: yearAfter, month, day }], next: yearAfter ? place + 1 : at + 2 };
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
  const isYearFirst = isYear(first) && second <= 12 && third <= 31;
  const orders = isYearFirst
    ? [{ year: first, month: second, day: third }]
    : [
        { year: third, month: second, day: first },
        { year: third, month: first, day: second },
      ];
  const dates = orders.filter(({ year, month, day }) => isYear(year) && month <= 12 && day <= 31);
  return dates.length > 0 ? { dates, next: at + 5 } : null;
}

function monthAt(tokens: readonly Token[], at: number): number | null {
  const month = MONTHS.get(tokens[at]?.lower ?? "");
  // "May" is only a month when capitalized.
  return month && /^\p{Lu}/u.test(tokens[at]?.text ?? "") ? month : null;
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
