import { countLeading } from "@/lib/text/code-points";
import { memoized } from "@/lib/text/memoized";
import { NOTE_MARK } from "@/lib/text/note-marks";
import foldings from "./foldings.json" with { type: "json" };
import { unitOf } from "./units";

/** A text in normalized spelling, with a mapping back to original offsets. */
export interface FoldedText {
  text: string;
  /** The original UTF-16 offset where the character at a folded offset begins. */
  originalStart: (offset: number) => number;
  /** The original UTF-16 offset where the character before a folded offset ends. */
  originalEnd: (offset: number) => number;
}

/** What may need folding: marks of notes, a fraction as it is set, what isn't ASCII, a letter with its accents, or conjoining Hangul. */
const SPECIAL = new RegExp(
  `(${NOTE_MARK})|${String.raw`[⁰¹²³⁴-⁹]{1,3}⁄[\d₀-₉]{1,3}|[\u1100-\u11ff]+|[^\p{M}]\p{M}+|(?<=\d)[\u2009\u202f](?=\d{3}(?!\d))|\P{ASCII}`}`,
  "gu",
);
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const RAISED_SIGNS: Record<string, string> = { "⁻": "-", "⁺": "+" };
/** The zero of each script whose digits NFKC keeps. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
/** Capitalized, because a sentence may begin with one: "β-blockers slow the heart." */
const GREEK: Partial<Record<string, string>> = foldings.greek;
const MARKS: Partial<Record<string, string>> = foldings.marks;

/** A part of a text, and what it is analyzed as. */
export interface Replacement {
  start: number;
  end: number;
  said: string;
}

/**
 * Normalizes what Unicode can write in several ways: widths, superscripts, digits, Greek. Replaces parts of the text,
 * which are in order. Runs in linear time.
 */
export function fold(original: string, replaced: readonly Replacement[] = []): FoldedText {
  let text = "";
  const pieces: Piece[] = [];
  const keep = (said: string, from: number, to: number) => {
    const isVerbatim = said === original.slice(from, to);
    pieces.push({ place: text.length, from, to, isVerbatim });
    text += said;
  };
  const foldPart = (from: number, to: number) => {
    let last = from;
    for (const { 0: found, 1: mark, index } of original.slice(from, to).matchAll(SPECIAL)) {
      if (from + index > last) {
        keep(original.slice(last, from + index), last, from + index);
      }
      last = from + index + found.length;
      keep(mark ? "" : plainOf(found, text), from + index, last);
    }
    keep(original.slice(last, to), last, to);
  };
  let at = 0;
  for (const { start, end, said } of replaced) {
    foldPart(at, start);
    keep(said, start, end);
    at = end;
  }
  foldPart(at, original.length);
  const originalOf = (offset: number, at: number, edge: "from" | "to") => {
    const index = countLeading(pieces, ({ place }) => place <= at) - 1;
    const piece = pieces[Math.max(0, index)] as Piece;
    return piece.isVerbatim ? piece.from + offset - piece.place : piece[edge];
  };
  return {
    text,
    originalStart: (offset) => originalOf(offset, offset, "from"),
    originalEnd: (offset) => originalOf(offset, offset - 1, "to"),
  };
}

interface Piece {
  place: number;
  from: number;
  to: number;
  isVerbatim: boolean;
}

const CACHE_SIZE = 5_000;
const spellCached = memoized(CACHE_SIZE, spell);
const fractionCached = memoized(CACHE_SIZE, fractionOf);

function plainOf(found: string, before: string): string {
  const fraction = fractionCached(found);
  if (fraction) {
    return /\d$/.test(before.slice(-1)) ? fraction : `0${fraction}`;
  }
  const isRaised = RAISED.includes(found) || RAISED_SIGNS[found];
  return isRaised ? raise(found, before) : spellCached(found);
}

/** The decimals of "½" and "¹⁄₂", which NFKC makes "1⁄2"; null for other text. */
function fractionOf(found: string): string | null {
  const [over = 0, under = 0] = found.normalize("NFKC").split("⁄").map(Number);
  return over > 0 && under > over ? String(Number((over / under).toFixed(4))).slice(1) : null;
}

/** Units that have powers: "kg/m²", "m/s²". */
const POWERS = new Set(["m", "day"]);

/** "10⁶" becomes "10^6", so that it doesn't read as 106; the mark in "5 mg¹" is no part of the unit. */
function raise(found: string, before: string): string {
  const unit = unitOf(/(?:\p{L}+|%)$/u.exec(before.slice(-12))?.[0] ?? "");
  if (unit && !POWERS.has(unit.key) && RAISED.includes(found)) {
    return "";
  }
  const plain = RAISED_SIGNS[found] ?? String(RAISED.indexOf(found));
  return /\d$/.test(before.slice(-1)) && !/\^-?\d*$/.test(before.slice(-6)) ? `^${plain}` : plain;
}

function spell(found: string): string {
  if (/^\p{Default_Ignorable_Code_Point}/u.test(found)) {
    return "";
  }
  return [...found.normalize("NFKC")].map(spellOne).join("");
}

function spellOne(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const nought = ZEROS.find((one) => code >= one && code < one + 10);
  if (nought !== undefined) {
    return String(code - nought);
  }
  const letter = GREEK[character];
  return letter ? ` ${letter} ` : (MARKS[character] ?? (/\s/.test(character) ? " " : character));
}
