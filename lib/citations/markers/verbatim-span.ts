/** A stretch of code or mathematics inside a paragraph, which ends with its closer or the paragraph. */
export interface VerbatimSpan {
  /** So many backticks, or the closing sign of mathematics. */
  closer: string;
  /** Still on the line that may turn out to open a fence. */
  isInfo: boolean;
}

/** A character that begins a block of its own at the beginning of a line. */
export const BLOCK = /[-*+>#|\d]/;

/** How far ahead a stretch is looked for its end. */
export const LOOK_AHEAD = 256;

/** Whether the line that begins here begins another block; undefined when too little of it has come. */
function endsParagraph({ text, limit, isWhole }: View, start: number): boolean | undefined {
  let at = start;
  while (at < limit && /[ \t\r]/.test(text.charAt(at))) {
    at += 1;
  }
  if (at >= limit) {
    return false;
  }
  const mark = text.charAt(at);
  if (mark === "`" || mark === "~") {
    const run = runLength(text, at, at + FENCE);
    const isKnown = run >= FENCE || at + run < text.length || isWhole;
    return isKnown ? run >= FENCE : undefined;
  }
  return mark === "" ? isWhole || undefined : mark === "\n" || BLOCK.test(mark);
}

/** The shortest fence. */
export const FENCE = 3;

/** How often the character at this place follows itself, up to a limit. */
export function runLength(text: string, at: number, limit = text.length): number {
  let end = at + 1;
  while (end < limit && text.charAt(end) === text.charAt(at)) {
    end += 1;
  }
  return end - at;
}

interface View {
  text: string;
  limit: number;
  isWhole: boolean;
}

const SIGN = /[`\\$\n]/g;

/** Looks ahead for the end of a stretch, each character once. Places are those of the text it was last given. */
export class SpanEndFinder {
  /** Where the closer stands, as far as it has been found. */
  #end = -1;
  /** No closer stands before this place. */
  #clear = 0;

  constructor(readonly stretch: VerbatimSpan) {}

  /** The text has lost so many characters at its beginning. */
  shift(length: number): void {
    this.#end -= length;
    this.#clear = Math.max(0, this.#clear - length);
  }

  /** Whether the stretch closes within reach of this place; undefined when too little has come. */
  closes(text: string, at: number, isWhole: boolean): boolean | undefined {
    if (this.#end >= at) {
      return true;
    }
    const view = { text, limit: at + LOOK_AHEAD, isWhole };
    this.#clear = Math.max(at, this.#clear);
    let answer: boolean | null | undefined = null;
    while (answer === null) {
      SIGN.lastIndex = this.#clear;
      this.#clear = SIGN.exec(text)?.index ?? text.length;
      answer = this.#clear >= view.limit ? false : this.#read(view, this.#clear);
    }
    return answer;
  }

  /** What the sign here says: true, it ends the stretch; false, the paragraph; null, neither. */
  #read(view: View, at: number): boolean | null | undefined {
    const { closer } = this.stretch;
    const mark = view.text.charAt(at);
    if (mark === "") {
      return view.isWhole ? false : undefined;
    }
    if (mark === "\n") {
      return this.#readNewline(view, at);
    }
    const length = lengthOf(view, at, closer);
    if (length === undefined) {
      return undefined;
    }
    const isEnd = view.text.slice(at, at + length) === closer;
    this.#end = isEnd ? at : this.#end;
    this.#clear += isEnd ? 0 : length;
    return isEnd || null;
  }

  #readNewline(view: View, at: number): boolean | null | undefined {
    const { isInfo } = this.stretch;
    const ends = isInfo || endsParagraph(view, at + 1);
    this.#clear += ends === false ? 1 : 0;
    return ends === false ? null : ends && isInfo;
  }
}

/** How many characters are one sign: a run of backticks, an escape, "$$". */
function lengthOf({ text, limit, isWhole }: View, at: number, closer: string): number | undefined {
  const mark = text.charAt(at);
  const isCode = closer.startsWith("`");
  if (mark !== "`" && isCode) {
    return 1;
  }
  const run = mark === "`" ? runLength(text, at, limit) : 1;
  if (at + run >= text.length && at + run < limit && !isWhole) {
    return undefined;
  }
  const next = text.charAt(at + 1);
  return mark === "`" ? run : next !== "\n" && (mark === "\\" || next === mark) ? 2 : 1;
}
