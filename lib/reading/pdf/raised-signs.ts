import { MARK_GAP, raise } from "@/lib/text/note-marks";
import { superscript } from "../parse/superscripts";
import type { Word } from "./geometry";

const SIGN = String.raw`(?:\d{1,3}|[a-z]|[*∗†‡§¶#]{1,3})`;
/** One or more superscript footnote marks: "2", "a,b", "1-3", "**". */
const SIGNS = new RegExp(`^\\(?${SIGN}(?:[,;–-]${SIGN})*\\)?,?$`);
const SYMBOLS = /^[*∗†‡§¶#]+$/;
/** How a footnote begins. */
const HEAD = new RegExp(String.raw`^\(?(${SIGN})[.):=]?$|^([*∗†‡§¶#]{1,3})(?=[\p{L}\p{N}])`, "u");
/** Relative to the text's size: superscripts are smaller. */
const RAISED_SIZE = 0.85;
/** In em: how far a superscript sits above the baseline. */
const LEAST_RISE = 0.15;
const SENTENCE_END = /[.;!?]$/;
/** Units and symbols that get squared or cubed. */
const SQUARED =
  /(?:^|[^\p{L}])(?:[kcdmµμn]?m|ft|in|inch(?:es)?|sec)$|\/s$|^[^\p{L}\p{N}]*[rRIxyzχησ]$/u;
const POWER = /^[23]$/;
const TEN = /(?:^|[^\d.,])10$/;
const TIMES_TEN = /[×x·*] ?10$/;
/** What is counted in powers of ten: "10⁶ IU", "10⁹/L", but not "10 and 20 mg". */
const COUNTED =
  /^(?!(?:an?|and|are|as|at|by|daily|for|from|if|in|is|of|on|once|or|the|then|to|twice|was|were|when|with)(?!\p{L}))[\p{L}%/]/iu;
const NUMBERS = /^\(?\d[\d,;–-]*\)?$/;
const FRACTION = /^[/⁄](?:[\d₀-₉]|$)/;
const PUNCTUATION = /^[.,;:!?)\]/%]/;
/** In em of the larger text: the widest gap before a superscript, and after it. */
const SIGN_GAP = 0.6;
const TAIL_GAP = 0.15;
/** In em: the highest a superscript sits, and the widest gap between words of a line. */
const HIGHEST = 0.9;
const LEAST_NEARER = 0.05;
const NEXT_GAP = 3;
/** In em: footnotes in the text's own size are at most this far from the end of the page or a table row. */
const FOOT_HEIGHT = 12;
/** Relative to the text's size: footnotes elsewhere are smaller. */
const NOTE_SIZE = 0.95;
/** How many words back to look for the word that a superscript belongs to, so that a page takes linear time. */
const MOST_WORDS_BACK = 1_000;

/**
 * Joins a page's superscripts to the words they follow. A mark whose footnote is further down the page stays apart
 * ("20 mg ²"); anything else is attached ("m²", "10⁹/L", "5th").
 */
export function withRaisedSigns(words: readonly Word[]): Word[] {
  const notes = notesOf(words);
  const kept: Word[] = [];
  let last: Added | null = null;
  for (const [at, word] of words.entries()) {
    const around = { notes, kept, next: words[at + 1] };
    const added: Added | null = (last && continuation(last, word)) ?? raisedSign(word, around);
    if (added) {
      added.base.text += added.text;
      added.base.x1 = Math.max(added.base.x1, word.x1);
    } else {
      kept.push(...withGlued(kept, word));
    }
    last = added?.isOpen ? added : null;
  }
  return kept;
}

/** Text to append to the word it follows. */
interface Added {
  base: Word;
  sign: Word;
  text: string;
  isMark: boolean;
  /** Whether more may follow. */
  isOpen: boolean;
}

/** What the word after a superscript adds to the same word; null if it is a word of its own. */
function continuation({ base, sign, isMark }: Added, word: Word): Added | null {
  if (continuesSigns(sign, word)) {
    return { base, sign: word, text: raise(word.text), isMark, isOpen: true };
  }
  const gap = isMark && !PUNCTUATION.test(word.text) ? " " : "";
  return isTail(sign, word) ? { base, sign, text: gap + word.text, isMark, isOpen: false } : null;
}

/** The lowest position of a footnote's sign, and its smallest size, which is 0 at the foot of the page or a table. */
type NoteHead = Pick<Word, "base" | "size">;

interface Around {
  notes: ReadonlyMap<string, NoteHead>;
  kept: readonly Word[];
  next: Word | undefined;
}

function raisedSign(word: Word, around: Around): Added | null {
  const base = baseOf(word, around);
  const isMark = base !== null && isNoteMark(word, base, around);
  const text = base && written(word, isMark);
  return base && text !== null ? { base, sign: word, text, isMark, isOpen: true } : null;
}

/** A word, joined to the smaller text right before it, unless that is a footnote's own sign. */
function withGlued(kept: Word[], word: Word): Word[] {
  const last = kept.at(-1);
  const isFraction = last && FRACTION.test(word.text) && isRaisedOn(last, word);
  const isOne = isFraction
    ? isNear(last, word, TAIL_GAP)
    : word.isGlued && !SIGNS.test(last?.text ?? "");
  const before = isOne ? kept.pop() : undefined;
  return [before ? { ...word, text: before.text + word.text, x0: before.x0 } : word];
}

/** Whether characters are smaller and higher than the rest of their line. */
export function isRaisedOn(
  { size, base }: Pick<Word, "size" | "base">,
  text: Pick<Word, "size" | "base">,
): boolean {
  return size < text.size * RAISED_SIZE && text.base - base > LEAST_RISE * text.size;
}

/** The word that a superscript follows, or any text without a space before it; null if there is none. */
function baseOf(word: Word, { next, kept }: Around): Word | null {
  const last = kept.at(-1);
  if (word.isGlued) {
    return last && isRaisedOn(word, last) ? last : null;
  }
  if (!SIGNS.test(word.text) || isNumerator(last, next)) {
    return null;
  }
  const isBase = (each: Word) => isSetBehind(each, word);
  const base = last && isBase(last) ? last : kept.slice(-MOST_WORDS_BACK).find(isBase);
  return base && !(next && isHead(word, base, next)) ? base : null;
}

/** Whether a superscript between two words is a numerator on its own: "Take 1/2", and not "1¹/2". */
function isNumerator(before: Word | undefined, next: Word | undefined): boolean {
  return FRACTION.test(next?.text ?? "") && !/\d$/.test(before?.text ?? "");
}

/** Whether a superscript belongs to the text after it: that is closer, or a sentence has ended before it. */
function isHead(word: Word, base: Word, next: Word): boolean {
  const [before, after] = [word.x0 - base.x1, next.x0 - word.x1];
  const isNearer = after > -next.size && after < before - LEAST_NEARER * next.size;
  const isApart = SENTENCE_END.test(base.text) && before > TAIL_GAP * next.size;
  return isRaisedOn(word, next) && (isNearer || isApart);
}

function isSetBehind(base: Word, sign: Word): boolean {
  return (
    isRaisedOn(sign, base) &&
    base.base - sign.base < HIGHEST * base.size &&
    Math.abs(sign.x0 - base.x1) < SIGN_GAP * base.size
  );
}

/** Whether marks continue a list: "1,", "2". */
function continuesSigns(last: Word, word: Word): boolean {
  const isLevel = Math.abs(last.base - word.base) < 1 && Math.abs(last.size - word.size) < 0.5;
  return (
    isLevel && SIGNS.test(word.text) && last.text.endsWith(",") && isNear(last, word, SIGN_GAP)
  );
}

/** Whether a word continues after a superscript. PDFium sometimes inserts a space that isn't on the page. */
function isTail(sign: Word, word: Word): boolean {
  const isLower = word.base > sign.base && word.base - sign.base < HIGHEST * word.size;
  return word.isGlued
    ? isLower
    : isLower && PUNCTUATION.test(word.text) && isNear(sign, word, TAIL_GAP);
}

function isNear(before: Word, word: Word, gap: number): boolean {
  return Math.abs(word.x0 - before.x1) < gap * word.size;
}

/** How a superscript is written after its word; null for letters after a space that aren't a mark. */
function written({ text, isGlued = false }: Word, isMark: boolean): string | null {
  if (isMark || NUMBERS.test(text)) {
    return (isMark && !SYMBOLS.test(text) ? MARK_GAP : "") + raise(text);
  }
  const shown = superscript(text);
  return isGlued || shown !== text || SYMBOLS.test(text) ? shown : null;
}

/** Whether a superscript refers to footnotes further down, rather than being an exponent. */
function isNoteMark(word: Word, base: Word, { notes, kept, next }: Around): boolean {
  const { text } = word;
  const isNoted = (sign: string) => {
    const head = notes.get(sign);
    return head !== undefined && head.base > word.base && head.size < base.size * NOTE_SIZE;
  };
  const signs = text.split(/[,;–()-]/).filter(Boolean);
  if (!SIGNS.test(text) || !signs.every(isNoted)) {
    return false;
  }
  const isSquared = POWER.test(text) && SQUARED.test(base.text);
  const follows = next && isNear(word, next, 1) ? next.text : "";
  const isTimes = TIMES_TEN.test(`${kept.at(-2)?.text} ${base.text}`);
  const isPower = isTimes || (text !== "1" && TEN.test(base.text) && COUNTED.test(follows));
  return !isSquared && !FRACTION.test(follows) && !(isPower && /^\d+$/.test(text));
}

/** The signs at the start of lines and sentences. */
function notesOf(words: readonly Word[]): Map<string, NoteHead> {
  const notes = new Map<string, NoteHead>();
  const areAtFoot = footOf(words);
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    const isFirst = !before || !isBeside(before, word) || SENTENCE_END.test(before.text);
    const head = isFirst ? headOf(word, words[at + 1]) : null;
    if (head) {
      const known = notes.get(head) ?? word;
      const size = areAtFoot[at] || SYMBOLS.test(head) ? 0 : Math.min(word.size, known.size);
      notes.set(head, { base: Math.max(word.base, known.base), size });
    }
  }
  return notes;
}

/** Whether each word is near the page's end or a row of a table. */
function footOf(words: readonly Word[]): boolean[] {
  const end = words.reduce((lowest, { base }) => Math.max(lowest, base), 0);
  let row = Number.NEGATIVE_INFINITY;
  return words.map((word, at) => {
    const before = words[at - 1];
    row = before?.base === word.base && !isBeside(before, word) ? word.base : row;
    return Math.min(end - word.base, Math.abs(word.base - row)) < FOOT_HEIGHT * word.size;
  });
}

/** The sign of the footnote that starts with this word; null if none does. */
function headOf(word: Word, next: Word | undefined): string | null {
  const [, sign, symbol] = HEAD.exec(word.text) ?? [];
  const isOwn =
    next && isBeside(word, next) && !isRaisedOn(next, word) && !FRACTION.test(next.text);
  return symbol ?? (isOwn ? sign : null) ?? null;
}

/** Whether a word is the next one on the same line. */
function isBeside(before: Word, word: Word): boolean {
  const size = Math.max(before.size, word.size);
  const gap = word.x0 - before.x1;
  return Math.abs(word.base - before.base) < HIGHEST * size && gap > -size && gap < NEXT_GAP * size;
}
