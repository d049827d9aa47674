import { readPacks } from "@/lib/packs";
import frequencies from "./frequencies.json" with { type: "json" };
import { readNumeral } from "./numerals";
import type { Token } from "./tokens";
import { daysIn, type Unit, unitOf } from "./units";

export interface Measure {
  unit: Unit | null;
  /** For rates such as "mg/day" or "mg daily": times per day. */
  perDay: number | null;
  next: number;
}

const PEOPLE = /^(?:people|persons?|population|inhabitants|individuals|births|women|men|children)$/;

/** Reads "mg", "%", "per cent", "mg/kg/day", "kg m-2" or "per 100,000". */
export function readMeasure(tokens: readonly Token[], at: number): Measure {
  const base = readUnit(tokens, at);
  return base ? readDenominators(tokens, base) : readRatio(tokens, at);
}

interface ReadUnit {
  unit: Unit;
  next: number;
}

function readUnit(tokens: readonly Token[], at: number): ReadUnit | null {
  const isHyphened = tokens[at]?.text === "-" && !tokens[at + 1]?.isSpaced;
  const place = isHyphened ? at + 1 : at;
  const spelt = readSpelt(tokens, place);
  if (spelt) {
    return spelt;
  }
  const token = tokens[place];
  const unit = token && unitOf(token.text);
  if (unit) {
    return withPower(tokens, place, unit);
  }
  const power = /^([a-zμ]{1,3})([23])$/i.exec(token?.text ?? "");
  const root = power && unitOf(power[1] ?? "");
  return root ? { unit: raised(root, Number(power?.[2])), next: place + 1 } : null;
}

/** Reads "per cent", "percentage points", "°C" or "degrees Celsius". */
function readSpelt(tokens: readonly Token[], at: number): ReadUnit | null {
  const [first = "", second = ""] = [tokens[at]?.lower, tokens[at + 1]?.lower];
  if ((first === "per" && second === "cent") || /^percentage points?$/.test(`${first} ${second}`)) {
    return { unit: { key: "%", factor: 1 }, next: at + 2 };
  }
  if (first !== "°" && !/^degrees?$/.test(first)) {
    return null;
  }
  const scale = /^(?:c|celsius|centigrade)$/.test(second)
    ? "°C"
    : /^(?:f|fahrenheit)$/.test(second)
      ? "°F"
      : "°";
  return { unit: { key: scale, factor: 1 }, next: at + (scale === "°" ? 1 : 2) };
}

/** Reads "m^2"; "m²" is folded to "m2" or, after a digit, to "m^2". */
function withPower(tokens: readonly Token[], at: number, unit: Unit): ReadUnit {
  const power = tokens[at + 1]?.text === "^" ? Number(tokens[at + 2]?.text) : 1;
  return power === 2 || power === 3
    ? { unit: raised(unit, power), next: at + 3 }
    : { unit, next: at + 1 };
}

function raised({ key, factor }: Unit, power: number): Unit {
  return { key: `${key}${power}`, factor: factor ** power };
}

const MAX_DENOMINATORS = 3;

function readDenominators(tokens: readonly Token[], base: ReadUnit): Measure {
  const measure: Measure & ReadUnit = { ...base, perDay: null };
  for (let count = 0; count < MAX_DENOMINATORS; count += 1) {
    const under = readDenominator(tokens, measure.next);
    if (!under) {
      break;
    }
    const { unit } = measure;
    const days = daysIn(under.unit);
    if (days) {
      measure.perDay = 1 / (days * under.count);
    } else {
      const factor = unit.factor / (under.unit.factor * under.count);
      measure.unit = { key: `${unit.key}/${under.unit.key}`, factor };
    }
    measure.next = under.next;
  }
  return measure;
}

function readDenominator(
  tokens: readonly Token[],
  at: number,
): (ReadUnit & { count: number }) | null {
  const word = tokens[at]?.lower ?? "";
  if (/^(?:\/|per|a|an|each)$/.test(word)) {
    const numeral = readNumeral(tokens, at + 1);
    const unit = readUnit(tokens, numeral?.next ?? at + 1);
    const isTime = unit !== null && daysIn(unit.unit) !== null;
    const isApt = unit && (isTime || word === "/" || word === "per");
    return isApt ? { ...unit, count: numeral?.value || 1 } : null;
  }
  const unit = word === "." ? readUnit(tokens, at + 1) : readUnit(tokens, at);
  const isInverse = unit && tokens[unit.next]?.text === "-" && tokens[unit.next + 1]?.text === "1";
  return isInverse ? { ...unit, next: unit.next + 2, count: 1 } : null;
}

const MIN_OF_MANY = 100;

/** Reads "493 per million", "5 cases per 100,000" or "1 in 5" as percentages. */
function readRatio(tokens: readonly Token[], at: number): Measure {
  const none = { unit: null, perDay: null, next: at };
  const isIn = tokens[at]?.lower === "in";
  const per = tokens[at]?.lower === "per" || isIn ? at : at + 1;
  if (!isIn && tokens[per]?.lower !== "per" && tokens[per]?.text !== "/") {
    return none;
  }
  const numeral = readScaled(tokens, per + 1);
  if (!numeral || !(isIn ? isInMany(tokens, at, numeral.value) : numeral.value >= MIN_OF_MANY)) {
    return none;
  }
  const isPeople = PEOPLE.test(tokens[numeral.next]?.lower ?? "");
  return {
    unit: { key: "%", factor: 100 / numeral.value },
    perDay: null,
    next: per === at && isPeople ? numeral.next + 1 : numeral.next,
  };
}

/** "per million" has no number before the scale. */
function readScaled(tokens: readonly Token[], at: number) {
  const scale = { hundred: 100, thousand: 1e3, million: 1e6 }[tokens[at]?.lower ?? ""];
  return scale ? { value: scale, next: at + 1 } : readNumeral(tokens, at);
}

const EARLIEST_YEAR = 1800;
const LATEST_YEAR = 2100;

/** Accepts "1 in 5", but not "5 in 2019" or "3 in 2". */
function isInMany(tokens: readonly Token[], at: number, many: number): boolean {
  const count = readNumeral(tokens, at - 1)?.value ?? Number.POSITIVE_INFINITY;
  return count < many && count >= 1 && !(many >= EARLIEST_YEAR && many <= LATEST_YEAR);
}

interface ReadFrequency {
  /** Times a day. */
  perDay: number;
  next: number;
}

/** Times a day. */
const ABBREVIATIONS = new Map(Object.entries(readPacks("units").perDay));
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
