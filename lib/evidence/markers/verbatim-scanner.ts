import {
  CodeElement,
  codeElement,
  DataSpan,
  MAX_DATA_START,
  MAX_TAG_START,
  startsData,
} from "./data-span";
import { isLink } from "./disambiguate";
import { Fence } from "./fence";
import type { OutputBuffer } from "./output-buffer";
import { BLOCK, FENCE, runLength, SpanEndFinder, skipIndent } from "./verbatim-span";

const MAX_LINK_START = 64;
const CLOSERS = new Map([
  ["\\[", "\\]"],
  ["\\(", "\\)"],
  ["$$", "$$"],
]);
/** What a backslash can escape: ASCII punctuation and brackets of other scripts. */
const PUNCTUATION = /[!-/:-@[-`{-~［【〔〖⟦]/;

/** Copies the parts of a text that must not change: code, mathematics and link targets. */
export class VerbatimScanner {
  /** Inline code or mathematics that may or may not be closed. */
  #span: SpanEndFinder | null = null;
  #block: Fence | DataSpan | CodeElement | null = null;
  /** A run of backticks or tildes; `isFirst` when nothing precedes it on its line. */
  #run: { mark: string; size: number; isFirst: boolean } | null = null;
  #link = 0;

  constructor(private readonly buffer: OutputBuffer) {}

  /** Copies verbatim text at the current position; returns false if there is none. */
  copyVerbatim(): boolean {
    const { buffer } = this;
    if (this.#block) {
      const end = this.#block.read(buffer.text, buffer.position);
      buffer.copyTo(end ?? buffer.text.length);
      this.#block = end === null ? this.#block : null;
    } else if (this.#run) {
      this.#copyRun(this.#run);
    } else if (this.#link > 0) {
      this.#copyLink();
    } else {
      this.#endAtBlock();
      return false;
    }
    return true;
  }

  /** Whether code, mathematics or data has begun and may not have ended. */
  get isOpen(): boolean {
    return this.#span !== null || this.#block !== null || this.#link > 0;
  }

  /** Whether an offset lies in inline code or mathematics; undefined when more text is needed. */
  contains(at: number): boolean | undefined {
    return this.#span ? this.#span.closes(this.buffer, at) : false;
  }

  /** Adjusts offsets after text was removed from the start. */
  shift(length: number): void {
    this.#span?.shift(length);
  }

  /** Whether data or an element of code begins at an offset, which is then copied; undefined when more text is needed. */
  opens(at: number): boolean | undefined {
    const { buffer } = this;
    if (this.#span) {
      return false;
    }
    const isTag = buffer.text.charAt(at) === "<";
    const text = buffer.text.slice(at, at + (isTag ? MAX_TAG_START : MAX_DATA_START));
    const opens = isTag ? codeElement(text) : startsData(text, buffer.isComplete);
    if (opens === undefined || (isTag && !buffer.isComplete && /^<[a-z]*$/i.test(text))) {
      return text.length < MAX_TAG_START || !isTag ? undefined : false;
    }
    if (opens) {
      buffer.copyTo(at);
      this.#block =
        typeof opens === "string" ? new CodeElement(opens) : new DataSpan(!buffer.isLineBlank);
    }
    return Boolean(opens);
  }

  /** Reads a character that may open or close something; returns false when more text is needed. */
  readSign(sign: string): boolean {
    if (sign === "\n") {
      return this.#readNewline();
    }
    if (sign === "`" || sign === "~") {
      this.#run = { mark: sign, size: 0, isFirst: this.buffer.isLineBlank };
      return true;
    }
    return sign === "]" ? this.#readBracket() : this.#readMathematics(sign);
  }

  #copyRun(run: { mark: string; size: number; isFirst: boolean }): void {
    const { buffer } = this;
    if (buffer.nextChar === run.mark) {
      const size = runLength(buffer.text, buffer.position);
      run.size += size;
      buffer.copyTo(buffer.position + size);
      return;
    }
    this.#run = null;
    const isFence = run.isFirst && run.size >= FENCE;
    if (run.mark === "`") {
      const closer = "`".repeat(run.size);
      this.#span = isFence ? new SpanEndFinder(closer, true) : this.#spanAfter(closer);
    } else if (isFence) {
      this.#block = new Fence("~", run.size);
      this.#span = null;
    }
  }

  /** The inline span after a run of backticks: opened, closed or unchanged. */
  #spanAfter(closer: string): SpanEndFinder | null {
    if (!this.#span) {
      return new SpanEndFinder(closer, false);
    }
    // The line that opens a fence contains no other backtick.
    this.#span.isInfoString = false;
    return this.#span.closer === closer ? null : this.#span;
  }

  #copyLink(): void {
    const { buffer } = this;
    const sign = /[()\n]/g;
    sign.lastIndex = buffer.position;
    const found = sign.exec(buffer.text);
    if (!found || found[0] === "\n") {
      buffer.copyTo(found?.index ?? buffer.text.length);
      this.#link = found ? 0 : this.#link;
    } else {
      buffer.copyTo(found.index + 1);
      this.#link += found[0] === "(" ? 1 : -1;
    }
  }

  #endAtBlock(): void {
    const { buffer } = this;
    if (!this.#span || !buffer.isLineBlank) {
      return;
    }
    const at = skipIndent(buffer.text, buffer.position);
    this.#span = BLOCK.test(buffer.text.charAt(at)) ? null : this.#span;
  }

  #readNewline(): boolean {
    const { buffer } = this;
    if (this.#span?.isInfoString) {
      this.#block = new Fence("`", this.#span.closer.length);
      this.#span = null;
      return true;
    }
    this.#span = buffer.isLineBlank ? null : this.#span;
    buffer.copyTo(buffer.position + 1);
    return true;
  }

  /** "\\[", "\\(" and "$$" open mathematics; other escapes are copied whole. */
  #readMathematics(sign: string): boolean {
    const { buffer } = this;
    const closer = this.#span?.closer;
    if (closer?.startsWith("`")) {
      buffer.copyTo(buffer.position + 1);
      return true;
    }
    if (buffer.needsMore(buffer.position + 1)) {
      return false;
    }
    const pair = buffer.text.slice(buffer.position, buffer.position + 2);
    const opened = CLOSERS.get(pair);
    if (pair === closer) {
      this.#span = null;
    } else if (!closer && opened) {
      this.#span = new SpanEndFinder(opened, false);
    }
    const isPair = pair === "$$" || (sign === "\\" && PUNCTUATION.test(pair.charAt(1)));
    buffer.copyTo(buffer.position + (isPair ? 2 : 1));
    return true;
  }

  #readBracket(): boolean {
    const { buffer } = this;
    const ahead = buffer.lookahead(buffer.position, MAX_LINK_START);
    const hasLink = !this.#span && isLink(ahead, buffer.position + 1);
    if (ahead.needsMore) {
      return false;
    }
    buffer.copyTo(buffer.position + (hasLink ? 2 : 1));
    this.#link = hasLink ? 1 : 0;
    return true;
  }
}
