import { strike } from "@/lib/text/unasserted";
import { type Box, boundsOf, sharedHeight, type Word } from "./geometry";

/** Words side by side, in reading order. */
export interface Line extends Box {
  words: Word[];
  base: number;
  /** The size of most of its letters. */
  size: number;
  isBold: boolean;
  isHidden: boolean;
  isRtl: boolean;
}

/** In em: how far apart the baselines of one line may be. */
const BASELINE_SLACK = 0.35;
/** A smaller word, such as a note's number, belongs to a line that it overlaps by this share of its height. */
const SMALL = 0.85;
const OVERLAP = 0.5;
/** Chinese and Japanese characters, between which no space is written. */
export const UNSPACED =
  /[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;
/** A number in a table cell. */
export const NUMBER =
  /^[-+−–(]?[$€£¥]?\s?[\d.,\s]*\d[\d.,\s]*\)?\s?%?[⁻⁺⁰¹²³⁴-⁹]*(?:\u2006[⁰¹²³⁴-⁹ᵃ-ᶻʰ-ˣ,]+|[*†‡§]+)?$/;
/** A number with its unit, such as "100 mg" or "5 mg/kg". */
export const MEASURE = /^[-+−–<>≤≥]?\s?\d[\d.,]*\s?[\p{L}µ%°]{1,6}(?:\/[\p{L}\d]{1,6})?$/u;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LTR = /[A-Za-z\u00c0-\u024f\u0370-\u052f]/;
const TURNED: Record<string, string> = { "(": ")", ")": "(", "[": "]", "]": "[" };
/** Marks where a line ended with a hyphen, until it is known whether the word has one. */
export const MAYBE_HYPHEN = "\u0002";
const ENDS_WITH_HYPHEN = /\p{L}[-\u00ad\u2010]$/u;
export const STARTS_LOWER = /^\p{Ll}/u;
/** In em: between characters that need no space, a smaller gap is none. */
const UNSPACED_GAP = 0.6;

/** The lines of a region, from top to bottom. */
export function linesOf(words: readonly Word[]): Line[] {
  const rows: Word[][] = [];
  for (const word of words.toSorted((a, b) => b.size - a.size || a.base - b.base)) {
    const row = rows.find((each) => belongs(word, each));
    if (row) {
      row.push(word);
    } else {
      rows.push([word]);
    }
  }
  return rows.map(toLine).sort((a, b) => a.base - b.base);
}

function belongs(word: Word, row: readonly Word[]): boolean {
  const [first] = row;
  if (!first || first.table || word.table) {
    return false;
  }
  if (Math.abs(word.base - first.base) <= BASELINE_SLACK * word.size) {
    return true;
  }
  return (
    word.size < first.size * SMALL && sharedHeight(word, first) >= OVERLAP * (word.y1 - word.y0)
  );
}

function toLine(words: readonly Word[]): Line {
  const text = words.map((word) => word.text).join(" ");
  const isRtl = isRightToLeft(text);
  const sorted = isRtl ? fromRight(words) : words.toSorted((a, b) => a.x0 - b.x0);
  const longest = words.reduce((best, word) => (word.text.length > best.text.length ? word : best));
  return {
    ...boundsOf(words),
    words: sorted,
    base: longest.base,
    size: longest.size,
    isBold: words.every((word) => word.isBold || !/[\p{L}\p{N}]/u.test(word.text)),
    isHidden: words.some((word) => word.isHidden),
    isRtl,
  };
}

/**
 * The words of a line that runs from right to left: in the order of the file, which knows where numbers belong, unless
 * that goes from left to right. Runs of Latin words, with the numbers in them, go from left to right.
 */
function fromRight(words: readonly Word[]): Word[] {
  const inFile = words.toSorted((a, b) => a.order - b.order);
  const own = inFile.filter(({ text }) => RTL.test(text));
  const isTurned = (own[0]?.x0 ?? 0) < (own.at(-1)?.x0 ?? 0);
  const runs: Word[][] = [[]];
  let isLatin = false;
  for (const word of isTurned ? words.toSorted((a, b) => b.x1 - a.x1) : inFile) {
    isLatin = LTR.test(word.text) || (isLatin && !RTL.test(word.text));
    if (isLatin) {
      runs.at(-1)?.push(word);
    } else {
      runs.push([word], []);
    }
  }
  return runs.flatMap((run) => run.sort((a, b) => a.x0 - b.x0));
}

/** Whether most letters are of a script that runs from right to left. */
export function isRightToLeft(text: string): boolean {
  const letters = [...text.slice(0, 2000)];
  const rtl = letters.filter((char) => RTL.test(char)).length;
  return rtl > 0 && rtl >= letters.filter((char) => LTR.test(char)).length;
}

/** Text from right to left with its brackets as written: a file may have the shapes that they are drawn with. */
export function withTurnedBrackets(text: string): string {
  if (arePaired(text) || !isRightToLeft(text)) {
    return text;
  }
  const turned = text.replace(/[()[\]]/g, (bracket) => TURNED[bracket] ?? bracket);
  return arePaired(turned) ? turned : text;
}

function arePaired(text: string): boolean {
  const depths: number[] = [];
  for (const [bracket] of text.matchAll(/[()[\]]/g)) {
    depths.push((depths.at(-1) ?? 0) + (/[([]/.test(bracket) ? 1 : -1));
  }
  return depths.every((depth) => depth >= 0) && (depths.at(-1) ?? 0) === 0;
}

/** The words of a line as text, with a space where one belongs, and struck-out ones marked as such. */
export function lineText(words: readonly Word[]): string {
  let text = "";
  let struck = "";
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    const gap = before ? separator(before, word) : "";
    if (word.isStruck) {
      text += struck ? "" : gap;
      struck += (struck && gap) + word.text;
    } else {
      text += strike(struck) + gap + word.text;
      struck = "";
    }
  }
  return text + strike(struck);
}

function separator(before: Word, word: Word): string {
  const gap = Math.max(word.x0 - before.x1, before.x0 - word.x1);
  return joinsWithoutSpace(before.text, word.text) && gap < UNSPACED_GAP * word.size ? "" : " ";
}

/** Whether no space is written between two texts. */
function joinsWithoutSpace(before: string, after: string): boolean {
  return UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1));
}

/** Joins a line to the text before it, with a space, none, or a hyphen that may go. */
export function joinLines(before: string, line: string): string {
  if (!before || !line) {
    return before + line;
  }
  if (ENDS_WITH_HYPHEN.test(before) && STARTS_LOWER.test(line)) {
    return before.slice(0, -1) + MAYBE_HYPHEN + line;
  }
  return before + (joinsWithoutSpace(before, line) || before.endsWith("-") ? "" : " ") + line;
}

/** Whether one of the rules at these heights is between a line and the one before it. */
export function isRuledOff(before: Line, line: Line, between: readonly number[]): boolean {
  return between.some((y) => y > before.base - 1 && y < line.base - line.size * 0.3);
}
