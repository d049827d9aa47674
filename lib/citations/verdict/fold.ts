import foldings from "./foldings.json" with { type: "json" };

/** A text in normalized spelling, with a mapping back to original offsets. */
export interface FoldedText {
  text: string;
  /** The original UTF-16 offset where the character at a folded offset begins. */
  originalStart: (offset: number) => number;
  /** The original UTF-16 offset where the character before a folded offset ends. */
  originalEnd: (offset: number) => number;
}

/** Characters that may need folding: not ASCII, a letter with its accents, or conjoining Hangul. */
const SPECIAL = /[\u1100-\u11ff]+|[^\p{M}]\p{M}+|(?<=\d)[\u2009\u202f](?=\d{3}(?!\d))|\P{ASCII}/gu;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const RAISED_SIGNS: Record<string, string> = { "⁻": "-", "⁺": "+" };
const FRACTIONS: Partial<Record<string, string>> = foldings.fractions;
/** The zero of each script whose digits NFKC keeps. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
/** Capitalized, because a sentence may begin with one: "β-blockers slow the heart." */
const GREEK: Partial<Record<string, string>> = foldings.greek;
const MARKS: Partial<Record<string, string>> = foldings.marks;

/**
 * Normalizes what Unicode can write in several ways: composed forms, widths, superscripts, typographic marks,
 * digits of other scripts and Greek letters. Runs in linear time.
 */
export function fold(original: string): FoldedText {
  let text = "";
  let last = 0;
  const pieces: Piece[] = [];
  const keep = (said: string, from: number, to: number) => {
    const isVerbatim = said === original.slice(from, to);
    pieces.push({ place: text.length, from, to, isVerbatim });
    text += said;
  };
  for (const { 0: found, index } of original.matchAll(SPECIAL)) {
    if (index > last) {
      keep(original.slice(last, index), last, index);
    }
    last = index + found.length;
    keep(plainOf(found, text), index, last);
  }
  keep(original.slice(last), last, original.length);
  return {
    text,
    originalStart: (offset) => {
      const piece = pieceAt(pieces, offset);
      return piece.isVerbatim ? piece.from + offset - piece.place : piece.from;
    },
    originalEnd: (offset) => {
      const piece = pieceAt(pieces, offset - 1);
      return piece.isVerbatim ? piece.from + offset - piece.place : piece.to;
    },
  };
}

interface Piece {
  place: number;
  from: number;
  to: number;
  isVerbatim: boolean;
}

function pieceAt(pieces: readonly Piece[], offset: number): Piece {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.place ?? 0) <= offset) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return pieces[low] ?? { place: 0, from: 0, to: 0, isVerbatim: true };
}

const plains = new Map<string, string>();
const CACHE_SIZE = 5_000;

function plainOf(found: string, before: string): string {
  const fraction = FRACTIONS[found];
  if (fraction) {
    return /\d$/.test(before.slice(-1)) ? fraction : `0${fraction}`;
  }
  if (RAISED.includes(found) || RAISED_SIGNS[found]) {
    return raise(found, before);
  }
  const known = plains.get(found);
  if (known !== undefined) {
    return known;
  }
  if (plains.size >= CACHE_SIZE) {
    plains.clear();
  }
  const plain = spell(found);
  plains.set(found, plain);
  return plain;
}

/** "10⁶" becomes "10^6", so that it doesn't read as 106. */
function raise(found: string, before: string): string {
  const plain = RAISED_SIGNS[found] ?? String(RAISED.indexOf(found));
  return /\d$/.test(before.slice(-1)) && !/\^-?\d*$/.test(before.slice(-6)) ? `^${plain}` : plain;
}

function spell(found: string): string {
  if (/^\p{Default_Ignorable_Code_Point}/u.test(found)) {
    return "";
  }
  const plain = found.normalize("NFKC");
  return [...plain].map(spellOne).join("");
}

function spellOne(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const nought = ZEROS.find((one) => code >= one && code < one + 10);
  if (nought !== undefined) {
    return String(code - nought);
  }
  const known = MARKS[character] ?? GREEK[character];
  if (known !== undefined) {
    return GREEK[character] ? ` ${known} ` : known;
  }
  return /\s/.test(character) ? " " : character;
}
