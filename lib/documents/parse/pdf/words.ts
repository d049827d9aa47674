import type { Box, Turn, Word } from "./geometry";
import type { Style } from "./style";

/** A character with its place in its own upright frame. */
export interface Char {
  text: string;
  x0: number;
  x1: number;
  base: number;
  style: Style;
}

interface OpenWord extends Word {
  turn: Turn;
}

/** In em: a larger gap ends a word, as does a baseline that is further away. */
const WORD_GAP = 0.45;
const BASELINE_SHIFT = 0.55;
const ASCENT = 0.75;
const DESCENT = 0.22;
/** How far characters may be off the next column of vertical writing, in em. */
const COLUMN_SLACK = 0.3;

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LTR = /[A-Za-z]/;
const ALEF = /[\u0622\u0623\u0625\u0627]/;

/** Joins characters, in the order of the file, to words. */
export class WordBuilder {
  readonly #byTurn = new Map<Turn, Word[]>();
  #open: OpenWord | null = null;
  #order = 0;
  #characters = 0;
  #downward = 0;
  #last: Char | null = null;

  /** Null for a letter that nobody sees. */
  add(char: Char | null): void {
    if (!char) {
      return;
    }
    const word = this.#open;
    this.#characters += 1;
    const last = this.#last;
    this.#downward += last && isBelow(last, char) ? 1 : 0;
    this.#last = char;
    if (word && continues(word, char)) {
      word.text = isTurnedLigature(last, char)
        ? `${word.text.slice(0, -1)}${char.text}${last?.text}`
        : word.text + char.text;
      word.x0 = Math.min(word.x0, char.x0);
      word.x1 = Math.max(word.x1, char.x1);
      if (char.style.size > word.size) {
        Object.assign(word, { size: char.style.size, base: char.base });
      }
      word.isHidden ||= char.style.isHidden;
    } else {
      this.end();
      const { size, turn, isBold, isHidden } = char.style;
      const { text, x0, x1, base } = char;
      this.#order += 1;
      const place = { x0, x1, y0: 0, y1: 0, base, order: this.#order };
      this.#open = { text, ...place, size, turn, isBold, isHidden };
    }
  }

  /** Ends the word at a space. */
  end(): void {
    if (this.#open) {
      const { turn, ...word } = this.#open;
      const list = this.#byTurn.get(turn) ?? [];
      list.push({ ...word, ...heightOf(word) });
      this.#byTurn.set(turn, list);
      this.#open = null;
    }
  }

  /** The words by direction, the most frequent one first, and whether most text runs downward. */
  finish(): { turns: [Turn, Word[]][]; isVertical: boolean } {
    this.end();
    return {
      turns: [...this.#byTurn].sort(([, a], [, b]) => lengthOf(b) - lengthOf(a)),
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

function continues(word: OpenWord, { text, style, x0, x1, base }: Char): boolean {
  const size = Math.max(word.size, style.size);
  const gap = Math.max(x0 - word.x1, word.x0 - x1);
  const shift = Math.abs(base - word.base);
  const isMixed = RTL.test(text)
    ? LTR.test(word.text.slice(-1))
    : LTR.test(text) && RTL.test(word.text.slice(-1));
  return (
    !isMixed && style.turn === word.turn && gap <= WORD_GAP * size && shift <= BASELINE_SHIFT * size
  );
}

/** Lam and alef in one glyph, which PDFium gives in the order of left-to-right text. */
function isTurnedLigature(last: Char | null, { text, x0, x1 }: Char): boolean {
  return text === "\u0644" && last?.x0 === x0 && last.x1 === x1 && ALEF.test(last.text);
}

function isBelow(last: Char, char: Char): boolean {
  const { size } = char.style;
  const down = char.base - last.base;
  return Math.abs(char.x0 - last.x0) < COLUMN_SLACK * size && down > 0.5 * size && down < 2 * size;
}
