/** A range of a document's stored text, in UTF-16 units, excluding `end`. */
export interface Quote {
  text: string;
  start: number;
  end: number;
}

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

/** Every place in a text where `length` units have this hash, in one pass. */
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

/** A polynomial hash of a fixed-length window that slides over a text. */
class RollingHash {
  value: number;
  /** The factor of the unit that leaves the window. */
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

/** Plus one, so that NUL counts. */
function unitAt(text: string, place: number): number {
  return text.charCodeAt(place) + 1;
}

/** `%` is several times slower beyond 32 bits. Exact below 2^53. */
function remainder(value: number, modulus: number): number {
  return value - Math.floor(value / modulus) * modulus;
}
