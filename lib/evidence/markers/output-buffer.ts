import { Lookahead } from "./lookahead";

/** How much text before a bracket the rules here look at. */
export const LOOK_BACK = 96;

/** Trim the lookbehind buffer at this size. */
const MAX_RECENT = 4 * LOOK_BACK;

/** How much of a line tells whether it is code. */
const MAX_LINE = 80;

/** A marker in the output; offsets in UTF-16 units. */
export interface PlacedMarker {
  id: number;
  start: number;
  end: number;
  /** Added to the model's text. */
  isAdded?: true;
}

/** The input that is still to be read and the output written so far. */
export class OutputBuffer {
  /** The input; unread text begins at `position`. */
  text = "";
  isComplete = false;
  readonly markers: PlacedMarker[] = [];
  /** The input that was already taken from the start of `text`. */
  taken = 0;
  #length = 0;
  #position = 0;
  /** The input from here to `position` is copied unchanged. */
  #copiedFrom = 0;
  #recent = "";
  #tail: string | null = null;
  #isLineBlank = true;
  /** The beginning of the current output line. */
  #line = "";
  #pieces: string[] = [];

  get position(): number {
    return this.#position;
  }

  get nextChar(): string {
    return this.text.charAt(this.#position);
  }

  /** The last LOOK_BACK characters of the output. */
  get tail(): string {
    this.#appendCopied();
    this.#tail ??= this.#recent.slice(-LOOK_BACK);
    return this.#tail;
  }

  /** Whether the current output line contains only blanks and ">". */
  get isLineBlank(): boolean {
    this.#appendCopied();
    return this.#isLineBlank;
  }

  /** The beginning of the current output line. */
  get line(): string {
    this.#appendCopied();
    return this.#line;
  }

  /** Whether this character may still arrive. */
  needsMore(index: number): boolean {
    return index >= this.text.length && !this.isComplete;
  }

  lookahead(start: number, length: number): Lookahead {
    return new Lookahead(this.text, start + length, this.isComplete);
  }

  copyTo(end: number): void {
    this.#position = end;
  }

  skipTo(end: number): void {
    this.#appendCopied();
    this.#position = end;
    this.#copiedFrom = end;
  }

  write(text: string): void {
    this.#appendCopied();
    this.#append(text);
  }

  /** Writes markers and the separators between them, and records their offsets. */
  writeMarkers(text: string): void {
    this.#appendCopied();
    for (const { 0: marker, 1: number, index } of text.matchAll(/\[(\d+)\]/g)) {
      const start = this.#length + index;
      this.markers.push({ id: Number(number), start, end: start + marker.length });
    }
    this.#append(text);
  }

  /** The output since the last call, and how much input it consumed. */
  flush(): { output: string; length: number } {
    this.#appendCopied();
    const output = this.#pieces.join("");
    const length = this.#position;
    this.#pieces = [];
    this.text = this.text.slice(length);
    this.taken += length;
    this.#position = 0;
    this.#copiedFrom = 0;
    return { output, length };
  }

  #appendCopied(): void {
    if (this.#copiedFrom < this.#position) {
      const text = this.text.slice(this.#copiedFrom, this.#position);
      this.#copiedFrom = this.#position;
      this.#append(text);
    }
  }

  #append(text: string): void {
    this.#pieces.push(text);
    this.#tail = null;
    this.#length += text.length;
    const recent = text.length < LOOK_BACK ? this.#recent + text : text;
    this.#recent = recent.length > MAX_RECENT ? recent.slice(-LOOK_BACK) : recent;
    const newline = text.lastIndexOf("\n");
    if (newline >= 0 || this.#line.length < MAX_LINE) {
      const line = newline >= 0 ? "" : this.#line;
      this.#line = line + text.slice(newline + 1, newline + 1 + MAX_LINE - line.length);
    }
    if (newline >= 0 || this.#isLineBlank) {
      this.#isLineBlank = /^[ \t\r>]*$/.test(text.slice(newline + 1));
    }
  }
}
