import { LOOK_BACK } from "./disambiguate";
import { Window } from "./lookahead";

/** So much may gather before what is looked back on is cut again. */
const MOST_RECENT = 4 * LOOK_BACK;

/** A marker in the text that went out; `start` is its offset there in UTF-16 units. */
export interface PlacedMarker {
  id: number;
  start: number;
  end: number;
}

/** The text on its way through: what has come and waits, and what has gone out. */
export class OutputBuffer {
  /** What has come; what waits begins at `at`. */
  text = "";
  /** Whether all has come. */
  isWhole = false;
  readonly markers: PlacedMarker[] = [];
  /** The length of all that went out. */
  #length = 0;
  #at = 0;
  /** What stands between here and `at` goes out as it came. */
  #passedFrom = 0;
  #recent = "";
  #tail: string | null = null;
  #isLineBlank = true;
  #pieces: string[] = [];

  get at(): number {
    return this.#at;
  }

  /** The character that waits, "" when none does. */
  get next(): string {
    return this.text.charAt(this.#at);
  }

  /** The end of all that went out, as much as decisions look back on. */
  get tail(): string {
    this.#settle();
    this.#tail ??= this.#recent.slice(-LOOK_BACK);
    return this.#tail;
  }

  /** Whether the line that goes out has only blanks and ">" so far. */
  get isLineBlank(): boolean {
    this.#settle();
    return this.#isLineBlank;
  }

  /** Whether a decision must wait: there is no such character yet. */
  lacks(index: number): boolean {
    return index >= this.text.length && !this.isWhole;
  }

  window(start: number, length: number): Window {
    return new Window(this.text, start + length, this.isWhole);
  }

  /** Lets the text up to a place go out as it came. */
  pass(end: number): void {
    this.#at = end;
  }

  /** Leaves out the text up to a place. */
  skip(end: number): void {
    this.#settle();
    this.#at = end;
    this.#passedFrom = end;
  }

  write(text: string): void {
    this.#settle();
    this.#append(text);
  }

  /** Writes markers, and what stands between them. */
  writeMarkers(text: string): void {
    this.#settle();
    for (const { 0: marker, 1: number, index } of text.matchAll(/\[(\d+)\]/g)) {
      const start = this.#length + index;
      this.markers.push({ id: Number(number), start, end: start + marker.length });
    }
    this.#append(text);
  }

  /** What went out since the last time, and how much of the text it took. */
  take(): { output: string; length: number } {
    this.#settle();
    const output = this.#pieces.join("");
    const length = this.#at;
    this.#pieces = [];
    this.text = this.text.slice(length);
    this.#at = 0;
    this.#passedFrom = 0;
    return { output, length };
  }

  #settle(): void {
    if (this.#passedFrom < this.#at) {
      const text = this.text.slice(this.#passedFrom, this.#at);
      this.#passedFrom = this.#at;
      this.#append(text);
    }
  }

  #append(text: string): void {
    this.#pieces.push(text);
    this.#tail = null;
    this.#length += text.length;
    const recent = text.length < LOOK_BACK ? this.#recent + text : text;
    this.#recent = recent.length > MOST_RECENT ? recent.slice(-LOOK_BACK) : recent;
    const newline = text.lastIndexOf("\n");
    if (newline >= 0 || this.#isLineBlank) {
      this.#isLineBlank = /^[ \t\r>]*$/.test(text.slice(newline + 1));
    }
  }
}
