import type { Token } from "./tokens";

/** A bound: "at least 5" is ge, "5" is eq. */
export type Comparator = "eq" | "ge" | "gt" | "le" | "lt";

interface ReadComparator {
  comparator: Comparator;
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
export function comparatorBefore(
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
      return isDuration ? null : { comparator, count: skipped + countWords(found) };
    }
  }
  return skipped > 0 ? { comparator: "eq", count: skipped } : null;
}

/** Reads a comparator after a number and its unit: "or more", "and above", "+". */
export function comparatorAfter(tokens: readonly Token[], at: number): ReadComparator | null {
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
