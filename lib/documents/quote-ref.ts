/** Words of a document's stored text and where they stand in it: UTF-16 units, the end excluded. */
export interface Quote {
  text: string;
  start: number;
  end: number;
}

interface Polynomial {
  modulus: number;
  base: number;
}

/** Two of 24 bits: no step leaves the exact integers, and a window slides over a text in linear time. */
const FIRST: Polynomial = { modulus: 16_777_213, base: 8_675_309 };
const SECOND: Polynomial = { modulus: 16_777_199, base: 3_141_593 };
const HEX_DIGITS = 6;
/** More than any UTF-16 unit plus one. */
const UNITS = 65_537;

/** The form of a permalink's `quote`; of no text that could be stored are more than nine digits. */
export const QUOTE_REF = /^(0|[1-9]\d{0,8})-([1-9]\d{0,8})-([0-9a-f]{12})$/;

/** What a permalink says of a quote: where it stood, and the hash of its words. Also in the browser. */
export function quoteRefOf({ text, start, end }: Quote): string {
  return `${start}-${end}-${hashOf(text)}`;
}

/** 12 hexadecimal digits. */
export function hashOf(text: string): string {
  return [FIRST, SECOND]
    .map((polynomial) => polynomialOf(text, polynomial).toString(16).padStart(HEX_DIGITS, "0"))
    .join("");
}

/** Every place where `length` units of the text have this hash, in their order: one pass, whatever they are. */
export function* placesOfHash(text: string, length: number, hash: string): Generator<number> {
  if (length > text.length) {
    return;
  }
  const wanted = [hash.slice(0, HEX_DIGITS), hash.slice(HEX_DIGITS)];
  const [first, second] = wanted.map((digits) => Number.parseInt(digits, 16));
  const one = new RollingHash(text, length, FIRST);
  const other = new RollingHash(text, length, SECOND);
  for (let start = 0; ; start += 1) {
    if (one.value === first && other.value === second) {
      yield start;
    }
    if (start + length >= text.length) {
      return;
    }
    one.slide(unitAt(text, start), unitAt(text, start + length));
    other.slide(unitAt(text, start), unitAt(text, start + length));
  }
}

/** The value of a window of fixed length, moved along a text by one unit at a time. */
class RollingHash {
  value: number;
  /** What the unit that leaves has come to count. */
  private readonly weight: number;

  constructor(
    text: string,
    length: number,
    private readonly polynomial: Polynomial,
  ) {
    this.value = polynomialOf(text.slice(0, length), polynomial);
    this.weight = power(polynomial, length);
  }

  slide(leaving: number, entering: number): void {
    const { base, modulus } = this.polynomial;
    const grown = this.value * base + entering + UNITS * modulus;
    this.value = remainder(grown - leaving * this.weight, modulus);
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

/** From 1, so that a NUL counts too. */
function unitAt(text: string, place: number): number {
  return text.charCodeAt(place) + 1;
}

/** As `%`, which is several times slower beyond 32 bits; exact below 2^53. */
function remainder(value: number, modulus: number): number {
  return value - Math.floor(value / modulus) * modulus;
}
