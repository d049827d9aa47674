import type { Box, Turn, Word } from "./geometry";
import { isRaisedOn, withRaisedSigns } from "./raised-signs";
import type { Style } from "./style";

/** A character with its place in its own upright frame. */
export interface Char {
  text: string;
  x0: number;
  x1: number;
  base: number;
  isCovered?: boolean;
  style: Style;
}

interface OpenWord extends Word {
  turn: Turn;
  /** The characters in its text, until an accent is drawn over one of them. */
  chars: Char[];
}

/** In em: a larger gap ends a word, as does a baseline that is further away. */
const WORD_GAP = 0.45;
const BASELINE_SHIFT = 0.55;
/** In em: how far apart characters that adjoin each other may be. */
const ADJOINING = 0.1;
const ASCENT = 0.75;
const DESCENT = 0.22;
/** How far characters may be off the next column of vertical writing, in em. */
const COLUMN_SLACK = 0.3;

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LTR = /[A-Za-z]/;
/** Marks over and under letters, which some fonts draw beside them. */
const COMBINING = /^\p{M}+$/u;
const LETTER = /^\p{L}$/u;
const SPACE = /^\s$/;
const LINE_BREAK = /[\r\n]/;
const ALEF = /[\u0622\u0623\u0625\u0627]/;

/** Accents that stand for themselves, by the marks that combine with a letter. */
const MARKS = new Map(
  Object.entries({
    "`": "\u0300",
    "\u00b4": "\u0301",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u00af": "\u0304",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u00a8": "\u0308",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02c7": "\u030c",
    "\u00b8": "\u0327",
  }),
);
const DOTLESS: Record<string, string> = { "\u0131": "i", "\u0237": "j" };
/** In em: how far the middles of a letter and its accent may be apart. */
const ACCENT_SLACK = 0.2;

/** Joins characters, in the order of the file, to words. */
export class WordBuilder {
  /** By turn and slope. */
  readonly #byAngle = new Map<string, { turn: Turn; words: Word[] }>();
  #open: OpenWord | null = null;
  #order = 0;
  #characters = 0;
  #downward = 0;
  #last: Char | null = null;
  #ended: { word: Word; chars: Char[] } | null = null;
  #isBroken = false;

  /** Null for a letter that nobody sees. */
  add(char: Char | null): void {
    if (!char) {
      return;
    }
    if (this.#isBroken && !(this.#last && adjoins(this.#last, char))) {
      this.end();
    }
    this.#isBroken = false;
    this.#place(char);
  }

  #place(char: Char): void {
    const word = this.#open;
    this.#characters += 1;
    const last = this.#last;
    this.#downward += last && isBelow(last, char) ? 1 : 0;
    this.#last = char;
    const isNext = word !== null && continues(word, char);
    const isGlued = isNext && changesHeight(word, char);
    if (isNext && !isGlued) {
      word.text = joinText(word.text, last, char);
      word.chars.push(char);
      word.x0 = Math.min(word.x0, char.x0);
      word.x1 = Math.max(word.x1, char.x1);
      if (char.style.size > word.size) {
        Object.assign(word, { size: char.style.size, base: char.base });
      }
      word.isHidden ||= char.style.isHidden;
    } else {
      this.end();
      const { size, turn, slope, isBold, isMono = false, isHidden } = char.style;
      const { text, x0, x1, base } = char;
      this.#order += 1;
      const place = { x0, x1, y0: 0, y1: 0, base, order: this.#order };
      const covered = char.isCovered && { isCovered: true };
      const angle = { turn, ...(slope !== undefined && { slope }), ...covered };
      const look = { size, isBold, isMono, isHidden, ...(isGlued && { isGlued }) };
      this.#open = { text, ...place, ...angle, ...look, chars: [char] };
    }
  }

  /** Ends the word, unless a line is broken before a character that adjoins it: PDFium does so in turned text. */
  space(char: string): void {
    if (LINE_BREAK.test(char)) {
      this.#isBroken = true;
    } else {
      this.end();
    }
  }

  end(): void {
    this.#isBroken = false;
    if (this.#open && this.#addsAccent(this.#open)) {
      this.#open = null;
    } else if (this.#open) {
      const { turn, chars, ...open } = this.#open;
      const word = { ...open, ...heightOf(open) };
      this.#ended = { word, chars };
      const key = `${turn} ${word.slope ?? 0}`;
      const group = this.#byAngle.get(key) ?? { turn, words: [] };
      group.words.push(word);
      this.#byAngle.set(key, group);
      this.#open = null;
    }
  }

  /** Whether what seems a word is an accent over a letter of the one before, as TeX draws them. */
  #addsAccent({ chars: [accent, ...others] }: OpenWord): boolean {
    if (!this.#ended || !accent || others.length > 0 || !MARKS.has(accent.text)) {
      return false;
    }
    const { word, chars } = this.#ended;
    const accented = chars.map((char) =>
      accent.style.turn === char.style.turn && Math.abs(accent.base - char.base) < char.style.size
        ? accentedLetter(accent, char)
        : null,
    );
    const at = accented.findIndex(Boolean);
    const isWhole = chars.map(({ text }) => text).join("") === word.text;
    if (at >= 0 && isWhole) {
      chars.splice(at, 1, { ...accent, ...chars[at], text: accented[at] ?? "" });
      word.text = chars.map(({ text }) => text).join("");
    }
    return at >= 0 && isWhole;
  }

  /** The words by direction, the most frequent one first, and whether most text runs downward. */
  finish(): { turns: [Turn, Word[]][]; isVertical: boolean } {
    this.end();
    return {
      turns: [...this.#byAngle.values()]
        .sort((a, b) => lengthOf(b.words) - lengthOf(a.words))
        .map(({ turn, words }) => [turn, withRaisedSigns(words)]),
      isVertical: this.#downward > this.#characters / 2,
    };
  }
}

/** The height of a line of text, whatever its letters. */
export function heightOf({ base, size }: Pick<Word, "base" | "size">): Pick<Box, "y0" | "y1"> {
  return { y0: base - ASCENT * size, y1: base + DESCENT * size };
}

function lengthOf(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

function continues(
  word: OpenWord,
  { text, style, x0, x1, base, isCovered = false }: Char,
): boolean {
  if (style.slope !== word.slope || isCovered !== (word.isCovered ?? false)) {
    return false;
  }
  const size = Math.max(word.size, style.size);
  const gap = Math.max(x0 - word.x1, word.x0 - x1);
  const shift = Math.abs(base - word.base);
  if (COMBINING.test(text)) {
    return style.turn === word.turn && gap <= size;
  }
  const isMixed = RTL.test(text)
    ? LTR.test(word.text.slice(-1))
    : LTR.test(text) && RTL.test(word.text.slice(-1));
  return (
    !isMixed && style.turn === word.turn && gap <= WORD_GAP * size && shift <= BASELINE_SHIFT * size
  );
}

/** Whether a character behind a word is raised, or behind raised signs isn't. */
function changesHeight(word: OpenWord, { text, base, style }: Char): boolean {
  const own = { size: style.size, base };
  const isAccent = COMBINING.test(text) || MARKS.has(text);
  return !isAccent && (isRaisedOn(own, word) || isRaisedOn(word, own));
}

/** Whether a character is set right behind another one, with the same baseline. */
function adjoins(last: Char, { x0, base, style }: Char): boolean {
  const { size, turn } = style;
  const isNext = Math.abs(x0 - last.x1) < ADJOINING * size;
  return isNext && turn === last.style.turn && Math.abs(base - last.base) < ADJOINING * size;
}

function joinText(text: string, last: Char | null, char: Char): string {
  const accented = last && text.endsWith(last.text) ? accentedLetter(last, char) : null;
  if (last && accented) {
    return text.slice(0, -last.text.length) + accented;
  }
  return isTurnedLigature(last, char)
    ? `${text.slice(0, -1)}${char.text}${last?.text}`
    : text + char.text;
}

/** A letter with the accent drawn over it, whichever of them the file has first; null if they are apart. */
function accentedLetter(first: Char, second: Char): string | null {
  const [accent, letter] = MARKS.has(first.text) ? [first, second] : [second, first];
  const mark = MARKS.get(accent.text);
  const distance = Math.abs(accent.x0 + accent.x1 - letter.x0 - letter.x1) / 2;
  const isOver = distance <= ACCENT_SLACK * letter.style.size && /^\p{L}$/u.test(letter.text);
  return mark && isOver ? ((DOTLESS[letter.text] ?? letter.text) + mark).normalize("NFC") : null;
}

/** Lam and alef in one glyph, which PDFium gives in the order of left-to-right text, some with their own widths. */
function isTurnedLigature(last: Char | null, { text, x0 }: Char): boolean {
  return text === "\u0644" && last?.x0 === x0 && ALEF.test(last.text);
}

function isBelow(last: Char, char: Char): boolean {
  const { size } = char.style;
  const down = char.base - last.base;
  return Math.abs(char.x0 - last.x0) < COLUMN_SLACK * size && down > 0.5 * size && down < 2 * size;
}

/** The places of characters, those of an accent behind its letter: some fonts draw it first, and PDFium after a space. */
export function withMarksBehind(chars: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const [space = "", mark = "", letter = ""] = [chars[at], chars[at + 1], chars[at + 2]];
    if (COMBINING.test(mark) && SPACE.test(space) && LETTER.test(letter)) {
      places.push(at + 2, at + 1);
      at += 2;
    } else {
      places.push(at);
    }
  }
  return places;
}
