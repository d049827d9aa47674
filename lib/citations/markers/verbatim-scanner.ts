import { Fence } from "./fence";
import type { OutputBuffer } from "./output-buffer";
import { isLink } from "./disambiguate";
import { BLOCK, FENCE, runLength, SpanEndFinder } from "./verbatim-span";

/** Backticks or tildes that follow each other; `isFirst` when nothing stands before them on their line. */
interface Run {
  mark: string;
  size: number;
  isFirst: boolean;
}

const LONGEST_LINK_START = 64;
const CLOSERS = new Map([
  ["\\[", "\\]"],
  ["\\(", "\\)"],
  ["$$", "$$"],
]);
/** What an escape takes its meaning from: ASCII punctuation, and brackets of other scripts. */
const PUNCTUATION = /[!-/:-@[-`{-~［【〔〖⟦]/;

/** Where a text is to be left alone: code, mathematics and the addresses of links. */
export class VerbatimScanner {
  /** Inline code or mathematics that has begun, and may or may not end. */
  #stretch: SpanEndFinder | null = null;
  #fence: Fence | null = null;
  #run: Run | null = null;
  /** Open parentheses of the link that is being passed. */
  #link = 0;

  constructor(private readonly tape: OutputBuffer) {}

  /** Passes what is left alone here; false when the text is to be read. */
  pass(): boolean {
    if (this.#fence) {
      this.#passFence(this.#fence);
    } else if (this.#run) {
      this.#passRun(this.#run);
    } else if (this.#link > 0) {
      this.#passLink();
    } else {
      this.#endAtBlock();
      return false;
    }
    return true;
  }

  /** Whether a place lies in inline code or mathematics; undefined when too little has come to tell. */
  holds(at: number): boolean | undefined {
    const { text, isWhole } = this.tape;
    return this.#stretch ? this.#stretch.closes(text, at, isWhole) : false;
  }

  /** The text has lost so many characters at its beginning. */
  shift(length: number): void {
    this.#stretch?.shift(length);
  }

  /** Reads a sign that may begin or end something; false when more must come. */
  read(sign: string): boolean {
    const { tape } = this;
    if (sign === "\n") {
      return this.#readNewline();
    }
    if (sign === "`" || sign === "~") {
      this.#run = { mark: sign, size: 0, isFirst: tape.isLineBlank };
      return true;
    }
    return sign === "]" ? this.#readBracket() : this.#readMathematics(sign);
  }

  #passFence(fence: Fence): void {
    const { tape } = this;
    const end = fence.read(tape.text, tape.at);
    tape.pass(end ?? tape.text.length);
    this.#fence = end === null ? fence : null;
  }

  #passRun(run: Run): void {
    const { tape } = this;
    if (tape.next === run.mark) {
      const size = runLength(tape.text, tape.at);
      run.size += size;
      tape.pass(tape.at + size);
      return;
    }
    this.#run = null;
    if (!run.isFirst || run.size < FENCE) {
      this.#endRun(run);
    } else if (run.mark === "~") {
      this.#fence = new Fence("~", run.size);
      this.#stretch = null;
    } else {
      this.#stretch = new SpanEndFinder({ closer: "`".repeat(run.size), isInfo: true });
    }
  }

  #endRun({ mark, size }: Run): void {
    const stretch = this.#stretch?.stretch;
    const closer = mark.repeat(size);
    if (mark === "~") {
      return;
    }
    if (!stretch) {
      this.#stretch = new SpanEndFinder({ closer, isInfo: false });
    } else if (stretch.closer === closer) {
      this.#stretch = null;
    } else {
      // What opens a fence has no backtick on its line.
      stretch.isInfo = false;
    }
  }

  #passLink(): void {
    const { tape } = this;
    const sign = /[()\n]/g;
    sign.lastIndex = tape.at;
    const found = sign.exec(tape.text);
    if (!found || found[0] === "\n") {
      tape.pass(found?.index ?? tape.text.length);
      this.#link = found ? 0 : this.#link;
    } else {
      tape.pass(found.index + 1);
      this.#link += found[0] === "(" ? 1 : -1;
    }
  }

  /** A stretch ends where a line begins another block. */
  #endAtBlock(): void {
    const { tape } = this;
    if (!this.#stretch || !tape.isLineBlank) {
      return;
    }
    let at = tape.at;
    while (/[ \t\r]/.test(tape.text.charAt(at))) {
      at += 1;
    }
    this.#stretch = BLOCK.test(tape.text.charAt(at)) ? null : this.#stretch;
  }

  #readNewline(): boolean {
    const { tape } = this;
    if (this.#stretch?.stretch.isInfo) {
      this.#fence = new Fence("`", this.#stretch.stretch.closer.length);
      this.#stretch = null;
      return true;
    }
    this.#stretch = tape.isLineBlank ? null : this.#stretch;
    tape.pass(tape.at + 1);
    return true;
  }

  /** "\\[", "\\(" and "$$" open mathematics; other escapes pass with what they escape. */
  #readMathematics(sign: string): boolean {
    const { tape } = this;
    const closer = this.#stretch?.stretch.closer;
    if (closer?.startsWith("`")) {
      tape.pass(tape.at + 1);
      return true;
    }
    if (tape.lacks(tape.at + 1)) {
      return false;
    }
    const pair = tape.text.slice(tape.at, tape.at + 2);
    const opened = CLOSERS.get(pair);
    if (pair === closer) {
      this.#stretch = null;
    } else if (!closer && opened) {
      this.#stretch = new SpanEndFinder({ closer: opened, isInfo: false });
    }
    const isPair = pair === "$$" || (sign === "\\" && PUNCTUATION.test(pair.charAt(1)));
    tape.pass(tape.at + (isPair ? 2 : 1));
    return true;
  }

  #readBracket(): boolean {
    const { tape } = this;
    const window = tape.window(tape.at, LONGEST_LINK_START);
    const hasLink = !this.#stretch && isLink(window, tape.at + 1);
    if (window.wantsMore) {
      return false;
    }
    tape.pass(tape.at + (hasLink ? 2 : 1));
    this.#link = hasLink ? 1 : 0;
    return true;
  }
}
