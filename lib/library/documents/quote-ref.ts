/** A range of a document's stored text, in UTF-16 units, excluding `end`. */
export interface Quote {
  text: string;
  start: number;
  end: number;
}

/** A quote's place and hash. A permalink never contains its words. */
export interface QuoteRef {
  start: number;
  end: number;
  /** 12 hexadecimal digits. */
  hash: string;
}

/** `current`: at its place in the permalink; `moved`: elsewhere; `changed`: no longer in the text. */
type QuotePlace =
  | { status: "current" | "moved"; start: number; end: number }
  | { status: "changed"; start: null; end: null };

interface Polynomial {
  modulus: number;
  base: number;
}

/** Two 24-bit moduli keep every step within exact integers. A rolling hash takes linear time. */
const FIRST: Polynomial = { modulus: 16_777_213, base: 8_675_309 };
const SECOND: Polynomial = { modulus: 16_777_199, base: 3_141_593 };
const HEX_DIGITS = 6;
/** Greater than any UTF-16 unit plus one. */
const UNITS = 65_537;

/** Far longer than any passage, so only a made-up permalink has a longer quote. */
export const MAX_QUOTE = 1_000_000;
/** A document may be tens of megabytes: other requests run each time a search has passed this much of it. */
export const TURN_UNITS = 500_000;
const TURN_END = -1;
const CHANGED = { status: "changed", start: null, end: null } as const;

/** A permalink's `quote`. No stored text needs more than nine digits. */
export const QUOTE_REF = /^(0|[1-9]\d{0,8})-([1-9]\d{0,8})-([0-9a-f]{12})$/;

/** A quote's place and the hash of its words. Also used in the browser. */
export function quoteRefOf({ text, start, end }: Quote): string {
  return `${start}-${end}-${hashOf(text)}`;
}

/** 12 hexadecimal digits. */
export function hashOf(text: string): string {
  return [FIRST, SECOND]
    .map((polynomial) => polynomialOf(text, polynomial).toString(16).padStart(HEX_DIGITS, "0"))
    .join("");
}

/** Null if invalid. */
export function parseQuoteRef(ref: string): QuoteRef | null {
  const [, start, end, hash] = QUOTE_REF.exec(ref) ?? [];
  const parsed = { start: Number(start), end: Number(end), hash: hash ?? "" };
  return parsed.end > parsed.start ? parsed : null;
}

/** Finds the place nearest to the original one with the quote's hash, in one pass over the text, a turn at a time. */
export async function locateQuote(
  text: string,
  { start, end, hash }: QuoteRef,
  endTurn: () => Promise<unknown> = nextTurn,
): Promise<QuotePlace> {
  if (end - start > MAX_QUOTE) {
    return CHANGED;
  }
  if (end <= text.length && hashOf(text.slice(start, end)) === hash) {
    return { status: "current", start, end };
  }
  let nearest: number | null = null;
  for (const place of placesOfHash(text, end - start, hash)) {
    if (place === TURN_END) {
      await endTurn();
    } else if (nearest === null || Math.abs(place - start) < Math.abs(nearest - start)) {
      nearest = place;
    }
  }
  return nearest === null
    ? CHANGED
    : { status: "moved", start: nearest, end: nearest + end - start };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Every place in a text where `length` units have this hash, with hashes of a window that slides over the text, and
 * TURN_END each time it has slid far enough.
 */
function* placesOfHash(text: string, length: number, hash: string): Generator<number> {
  const windows = [FIRST, SECOND].map((polynomial, index) => ({
    polynomial,
    value: polynomialOf(text.slice(0, length), polynomial),
    wanted: Number.parseInt(hash.slice(index * HEX_DIGITS, (index + 1) * HEX_DIGITS), 16),
    /** The factor of the unit that leaves the window. */
    weight: power(polynomial, length),
  }));
  for (let start = 0; start + length <= text.length; start += 1) {
    if (windows.every(({ value, wanted }) => value === wanted)) {
      yield start;
    }
    if (start % TURN_UNITS === TURN_UNITS - 1) {
      yield TURN_END;
    }
    for (const window of windows) {
      const { base, modulus } = window.polynomial;
      const grown = window.value * base + unitAt(text, start + length) + UNITS * modulus;
      window.value = remainder(grown - unitAt(text, start) * window.weight, modulus);
    }
  }
}

function polynomialOf(text: string, { base, modulus }: Polynomial): number {
  let value = 0;
  for (let place = 0; place < text.length; place += 1) {
    value = remainder(value * base + unitAt(text, place), modulus);
  }
  return value;
}

function power({ base, modulus }: Polynomial, exponent: number): number {
  let value = 1;
  for (let step = 0; step < exponent; step += 1) {
    value = remainder(value * base, modulus);
  }
  return value;
}

/** Plus one, so that NUL counts. */
function unitAt(text: string, place: number): number {
  return text.charCodeAt(place) + 1;
}

/** `%` is several times slower beyond 32 bits. Exact below 2^53. */
function remainder(value: number, modulus: number): number {
  return value - Math.floor(value / modulus) * modulus;
}
