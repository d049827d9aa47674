/** Characters that start a new block at the beginning of a line. */
export const BLOCK = /[-*+>#|\d]/;

export const LOOK_AHEAD = 256;

/** Whether the line that begins here ends the paragraph; undefined when more text is needed. */
function endsParagraph({ text, limit, isComplete }: View, start: number): boolean | undefined {
  const at = skipIndent(text, start, limit);
  if (at >= limit) {
    return false;
  }
  const mark = text.charAt(at);
  if (mark === "`" || mark === "~") {
    const run = runLength(text, at, at + FENCE);
    const isKnown = run >= FENCE || at + run < text.length || isComplete;
    return isKnown ? run >= FENCE : undefined;
  }
  return mark === "" ? isComplete || undefined : mark === "\n" || BLOCK.test(mark);
}

export const FENCE = 3;

/** How many times the character at an offset repeats, up to a limit. */
export function runLength(text: string, at: number, limit = text.length): number {
  let end = at + 1;
  while (end < limit && text.charAt(end) === text.charAt(at)) {
    end += 1;
  }
  return end - at;
}

export function skipIndent(text: string, start: number, limit = text.length): number {
  let at = start;
  while (at < limit && /[ \t\r]/.test(text.charAt(at))) {
    at += 1;
  }
  return at;
}

interface View {
  text: string;
  limit: number;
  isComplete: boolean;
}

const SIGN = /[`\\$\n]/g;

/** Inline code or mathematics, to its closer or the end of the paragraph. Offsets refer to the most recent text. */
export class SpanEndFinder {
  #end = -1;
  #searchedTo = 0;

  constructor(
    /** A run of backticks, or the closing sign of mathematics. */
    readonly closer: string,
    /** Whether we are still on a line that may turn out to open a fence. */
    public isInfoString: boolean,
  ) {}

  /** Adjusts offsets after text was removed from the start. */
  shift(length: number): void {
    this.#end -= length;
    this.#searchedTo = Math.max(0, this.#searchedTo - length);
  }

  /** Whether the span closes within reach of an offset; undefined when more text is needed. */
  closes({ text, isComplete }: Pick<View, "text" | "isComplete">, at: number): boolean | undefined {
    if (this.#end >= at) {
      return true;
    }
    const view = { text, limit: at + LOOK_AHEAD, isComplete };
    this.#searchedTo = Math.max(at, this.#searchedTo);
    let answer: boolean | null | undefined = null;
    while (answer === null) {
      SIGN.lastIndex = this.#searchedTo;
      this.#searchedTo = SIGN.exec(text)?.index ?? text.length;
      answer = this.#searchedTo >= view.limit ? false : this.#read(view, this.#searchedTo);
    }
    return answer;
  }

  /** True if the span ends here, false if its paragraph does, null if neither. */
  #read(view: View, at: number): boolean | null | undefined {
    const { closer } = this;
    const mark = view.text.charAt(at);
    if (mark === "") {
      return view.isComplete ? false : undefined;
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
    this.#searchedTo += isEnd ? 0 : length;
    return isEnd || null;
  }

  #readNewline(view: View, at: number): boolean | null | undefined {
    const { isInfoString } = this;
    const ends = isInfoString || endsParagraph(view, at + 1);
    this.#searchedTo += ends === false ? 1 : 0;
    return ends === false ? null : ends && isInfoString;
  }
}

/** The length of one sign: a run of backticks, an escape, or "$$". */
function lengthOf(
  { text, limit, isComplete }: View,
  at: number,
  closer: string,
): number | undefined {
  const mark = text.charAt(at);
  const isCode = closer.startsWith("`");
  if (mark !== "`" && isCode) {
    return 1;
  }
  const run = mark === "`" ? runLength(text, at, limit) : 1;
  if (at + run >= text.length && at + run < limit && !isComplete) {
    return undefined;
  }
  const next = text.charAt(at + 1);
  return mark === "`" ? run : next !== "\n" && (mark === "\\" || next === mark) ? 2 : 1;
}
