/** The most characters that tell whether data begins: a bracket, blanks and the first key. */
export const MAX_DATA_START = 24;
const DATA_START = /^(?:\{\s{0,16}(?:["']|\}|$)|\[\s{0,16}(?:["{]|$))/;
/** Whether text that begins with a bracket is JSON, or an object of Python or JavaScript; undefined when more is needed. */
export function startsData(text: string, isComplete: boolean): boolean | undefined {
  const start = text.slice(0, MAX_DATA_START);
  if (!DATA_START.test(start)) {
    return false;
  }
  return (
    /\S/.test(start.slice(1)) || (start.length < MAX_DATA_START && !isComplete ? undefined : false)
  );
}

const SIGN = /["'\\{}[\]\n]/g;

/** A JSON value inside an answer, to the bracket that closes it. */
export class DataSpan {
  #depth = 0;
  #quote = "";
  #isEscaped = false;
  #isLineBlank = false;

  /** `isInline`: it begins within a paragraph, with which it ends if it isn't closed. */
  constructor(private readonly isInline: boolean) {}

  /** The offset after its end, or null if it continues. */
  read(text: string, start: number): number | null {
    SIGN.lastIndex = start;
    let from = start;
    for (let found = SIGN.exec(text); found; found = SIGN.exec(text)) {
      const { 0: sign, index } = found;
      const isNext = index === from;
      this.#isLineBlank &&= text.slice(from, index).trim() === "";
      this.#isEscaped &&= isNext;
      from = index + 1;
      if (this.#readSign(sign)) {
        return sign === "\n" ? index : from;
      }
    }
    this.#isLineBlank &&= text.slice(from).trim() === "";
    this.#isEscaped &&= from === text.length;
    return null;
  }

  /** Returns whether the data ends here. */
  #readSign(sign: string): boolean {
    if (sign === "\n") {
      const ends = this.isInline && this.#isLineBlank;
      this.#isLineBlank = true;
      this.#isEscaped = false;
      return ends;
    }
    this.#isLineBlank = false;
    if (this.#isEscaped || sign === "\\") {
      this.#isEscaped = !this.#isEscaped;
      return false;
    }
    return this.#readToken(sign);
  }

  #readToken(sign: string): boolean {
    const isQuote = sign === '"' || sign === "'";
    if (isQuote && (this.#quote === "" || this.#quote === sign)) {
      this.#quote = this.#quote === "" ? sign : "";
    }
    if (isQuote || this.#quote !== "") {
      return false;
    }
    this.#depth += sign === "{" || sign === "[" ? 1 : -1;
    return this.#depth <= 0;
  }
}

/** Elements whose text is code. */
const CODE = new Set(["code", "pre", "script", "style", "math", "samp", "kbd"]);
const MAX_NAME = 8;
export const MAX_TAG_START = MAX_NAME + 2;

/** The name of the element of code that begins at "<"; null if there is none. */
export function codeElement(tag: string): string | null {
  const name = /^<([a-z]{3,8})[\s>]/i.exec(tag)?.[1]?.toLowerCase();
  return name !== undefined && CODE.has(name) ? name : null;
}

/** The rest of such an element, to its closing tag or the end of the answer: models stop at closing tags. */
export class CodeElement {
  #last = "";
  readonly #closer: RegExp;

  constructor(name: string) {
    this.#closer = new RegExp(`</${name}`, "i");
  }

  read(text: string, start: number): number | null {
    const seen = this.#last + text.slice(start);
    const found = this.#closer.exec(seen);
    if (found) {
      return start + found.index - this.#last.length + found[0].length;
    }
    this.#last = seen.slice(-MAX_NAME);
    return null;
  }
}
