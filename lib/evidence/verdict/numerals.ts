import numerals from "./numerals.json" with { type: "json" };
import type { Token } from "./tokens";

export interface Numeral {
  value: number;
  next: number;
  /** Set if the word implies a unit: "half" is a percentage, "twofold" a multiple. */
  key: "" | "%" | "fold";
}

const ONES = new Map(numerals.ones.map((word, value) => [word, value]));
const TENS = new Map(numerals.tens.map((word, index) => [word, 10 * (index + 2)]));
const SCALES = new Map(Object.entries(numerals.scales));
/** As percentages. */
const FRACTIONS = new Map(Object.entries(numerals.fractions));
const MULTIPLES = new Map(Object.entries(numerals.multiples));
const FOLD = /^([a-z]+)fold$/;
/** Longer runs of digits are treated as text. */
const MAX_DIGITS = 24;

const BEGINNINGS = new Set([...ONES.keys(), ...TENS.keys(), ...MULTIPLES.keys(), "a", "half"]);

/** Reads "1,000", "2.5 × 10^3", "five million", "one third" or "twofold". */
export function readNumeral(tokens: readonly Token[], at: number): Numeral | null {
  const token = tokens[at];
  if (token?.kind === "number") {
    return token.text.length > MAX_DIGITS ? null : readDigits(tokens, at, token);
  }
  const isNumeral = token && (BEGINNINGS.has(token.lower) || token.lower.endsWith("fold"));
  return token?.kind === "word" && isNumeral ? readWords(tokens, at, token.lower) : null;
}

function readDigits(tokens: readonly Token[], at: number, token: Token): Numeral {
  const mantissa = Number(token.text.replaceAll(",", ""));
  const scale = tokens[at + 1]?.isSpaced ? SCALES.get(tokens[at + 1]?.lower ?? "") : undefined;
  const scaled = scale ? exact(mantissa * scale) : mantissa;
  return (
    readFraction(tokens, at, mantissa) ??
    readPower(tokens, at + 1, mantissa) ?? { value: scaled, next: at + (scale ? 2 : 1), key: "" }
  );
}

/** NFKC turns "½" into "1⁄2". */
function readFraction(tokens: readonly Token[], at: number, over: number): Numeral | null {
  const under = Number(tokens[at + 2]?.text);
  return tokens[at + 1]?.text === "⁄" && under > 0
    ? { value: exact(over / under), next: at + 3, key: "" }
    : null;
}

/** Reads "^3" after 10, "× 10^3", "x 10(3)" or "e3". */
function readPower(tokens: readonly Token[], at: number, mantissa: number): Numeral | null {
  if (mantissa === 10 && tokens[at]?.text === "^") {
    return exponentAt(tokens, at + 1, 1);
  }
  const tail = /^e(\d{1,2})$/i.exec(tokens[at]?.text ?? "");
  if (tail && !tokens[at]?.isSpaced) {
    return { value: exact(mantissa * 10 ** Number(tail[1])), next: at + 1, key: "" };
  }
  const [times, ten, opener] = [0, 1, 2].map((offset) => tokens[at + offset]?.text ?? "");
  if (!/^[×x*]10[\^(]$/.test(`${times}${ten}${opener}`)) {
    return null;
  }
  const power = exponentAt(tokens, at + 3, mantissa);
  const closes = opener === "(" && power && tokens[power.next]?.text === ")";
  return power && { ...power, next: power.next + (closes ? 1 : 0) };
}

function exponentAt(tokens: readonly Token[], at: number, mantissa: number): Numeral | null {
  const isNegative = tokens[at]?.text === "-";
  const digits = tokens[at + (isNegative ? 1 : 0)];
  if (digits?.kind !== "number" || digits.text.length > 2) {
    return null;
  }
  const exponent = Number(digits.text) * (isNegative ? -1 : 1);
  return { value: exact(mantissa * 10 ** exponent), next: at + (isNegative ? 2 : 1), key: "" };
}

function readWords(tokens: readonly Token[], at: number, word: string): Numeral | null {
  const multiple = MULTIPLES.get(word) ?? ONES.get(FOLD.exec(word)?.[1] ?? "");
  if (multiple) {
    return tokens[at + 1]?.text === "-" || tokens[at + 1]?.lower === "blind"
      ? null
      : { value: multiple, next: at + 1, key: "fold" };
  }
  return readPart(tokens, at, word) ?? readCount(tokens, at, word);
}

/** Reads "half", "a third of", "two-thirds" or "three quarters" as percentages, but not "half-life". */
function readPart(tokens: readonly Token[], at: number, word: string): Numeral | null {
  const gap = tokens[at + 1]?.text === "-" ? 2 : 1;
  const after = tokens[at + gap]?.lower ?? "";
  if (word === "half") {
    return NAMES_OF_HALF.has(after) ? null : { value: 50, next: at + 1, key: "%" };
  }
  const count = word === "a" ? 1 : ONES.get(word);
  const part = FRACTIONS.get(after);
  const isPart = after.endsWith("s") || tokens[at + gap + 1]?.lower === "of";
  return count && part && isPart ? { value: count * part, next: at + gap + 1, key: "%" } : null;
}

const NAMES_OF_HALF = new Set(["life", "lives", "time", "times", "maximal"]);

/** Reads "twenty-five", "a hundred" or "two thousand". "One" alone is rarely a number. */
function readCount(tokens: readonly Token[], at: number, word: string): Numeral | null {
  const isArticle = word === "a" && SCALES.has(tokens[at + 1]?.lower ?? "");
  const first = isArticle ? 1 : (TENS.get(word) ?? ONES.get(word));
  if (first === undefined) {
    return null;
  }
  const ones = TENS.has(word) ? readOnes(tokens, at + 1) : { value: 0, next: at + 1 };
  let value = first + ones.value;
  let next = ones.next;
  for (let scale = SCALES.get(tokens[next]?.lower ?? ""); scale; ) {
    value *= scale;
    next += 1;
    scale = SCALES.get(tokens[next]?.lower ?? "");
  }
  return { value, next, key: "" };
}

function readOnes(tokens: readonly Token[], at: number): { value: number; next: number } {
  const place = tokens[at]?.text === "-" ? at + 1 : at;
  const value = ONES.get(tokens[place]?.lower ?? "") ?? 0;
  return value > 0 && value < 10 ? { value, next: place + 1 } : { value: 0, next: at };
}

export function exact(value: number): number {
  return Number(value.toPrecision(12));
}
