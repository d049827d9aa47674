import frequencies from "./frequencies.json" with { type: "json" };
import { readNumeral } from "./numerals";
import type { Token } from "./tokens";
import { daysIn, unitOf } from "./units";

interface ReadFrequency {
  /** Times a day. */
  perDay: number;
  next: number;
}

/** Times a day. */
const ABBREVIATIONS = new Map(Object.entries(frequencies.abbreviations));
const ADVERBS = new Map(Object.entries(frequencies.adverbs));
const COUNTS = new Map(Object.entries(frequencies.counts));
const SEPARATORS = /^(?:a|an|per|each|every|\/|in)$/;

/** Reads "twice daily", "2 times a day", "BID", "b.i.d.", "every 12 hours", "q8h" or "weekly". */
export function readFrequency(tokens: readonly Token[], at: number): ReadFrequency | null {
  const word = tokens[at]?.lower ?? "";
  const times = readTimes(tokens, at);
  if (times) {
    return readPeriod(tokens, times.next, times.count);
  }
  const hours = /^q(\d{1,2})h$/.exec(word);
  if (hours) {
    return { perDay: 24 / Number(hours[1]), next: at + 1 };
  }
  if (word === "every" || word === "each") {
    return readEvery(tokens, at + 1, 1);
  }
  const days = ADVERBS.get(word);
  return days ? { perDay: 1 / days, next: at + 1 } : readShort(tokens, at);
}

function readTimes(tokens: readonly Token[], at: number): { count: number; next: number } | null {
  const count = COUNTS.get(tokens[at]?.lower ?? "");
  if (count) {
    return { count, next: at + 1 };
  }
  const numeral = readNumeral(tokens, at);
  return numeral && /^(?:times?|x)$/.test(tokens[numeral.next]?.lower ?? "")
    ? { count: numeral.value, next: numeral.next + 1 }
    : null;
}

function readPeriod(tokens: readonly Token[], at: number, count: number): ReadFrequency | null {
  const word = tokens[at]?.text === "-" ? at + 1 : at;
  const days = ADVERBS.get(tokens[word]?.lower ?? "");
  if (days) {
    return { perDay: count / days, next: word + 1 };
  }
  return SEPARATORS.test(tokens[at]?.lower ?? "") ? readEvery(tokens, at + 1, count) : null;
}

/** Reads what follows "every": "day", "12 hours", "other week". */
function readEvery(tokens: readonly Token[], at: number, count: number): ReadFrequency | null {
  const isOther = tokens[at]?.lower === "other";
  const numeral = isOther ? { value: 2, next: at + 1 } : readNumeral(tokens, at);
  const place = numeral?.next ?? at;
  const unit = tokens[place]?.kind === "word" ? unitOf(tokens[place]?.text ?? "") : null;
  const days = unit && daysIn(unit);
  return days ? { perDay: count / (days * (numeral?.value || 1)), next: place + 1 } : null;
}

/** Reads "bid", or "b.i.d." as separate tokens. */
function readShort(tokens: readonly Token[], at: number): ReadFrequency | null {
  const whole = ABBREVIATIONS.get(tokens[at]?.lower ?? "");
  if (whole) {
    return { perDay: whole, next: at + 1 };
  }
  if (tokens[at + 1]?.text !== "." || tokens[at + 3]?.text !== ".") {
    return null;
  }
  const spelt = [at, at + 2, at + 4].map((one) => tokens[one]?.lower ?? "").join("");
  const perDay = ABBREVIATIONS.get(spelt);
  return perDay ? { perDay, next: at + (tokens[at + 5]?.text === "." ? 6 : 5) } : null;
}
