import { yieldIfLong } from "@/lib/event-loop";
import { countBytePairs } from "./o200k";

/** Longer unbroken runs are sliced: the encoder's time is quadratic. */
const MAX_RUN_LENGTH = 128;
const LONG_RUNS = /(?<!\S)\S{129,}|(?<!\s)\s{129,}/g;

/** Texts are counted in parts of about this size, cut before a blank. */
const PARTS = /[\s\S]{1,4096}(?=\s|$)|[\s\S]{1,4096}/g;

/**
 * Counts tokens in OpenAI's o200k vocabulary; special tokens count as text. Exact for ordinary text, at most
 * one token too many per 128 characters of an unbroken run. Stops soon after `limit`.
 */
export function countTokens(text: string, limit = Number.POSITIVE_INFINITY): number {
  let sum = 0;
  for (const part of partsOf(text)) {
    sum += countPart(part);
    if (sum > limit) {
      break;
    }
  }
  return sum;
}

/** The same for texts of any length, such as those that callers send: lets others run between the parts. */
export async function countTokensOf(
  texts: Iterable<string>,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  let sum = 0;
  for (const text of texts) {
    for (const part of partsOf(text)) {
      await yieldIfLong();
      sum += countPart(part);
      if (sum > limit) {
        return sum;
      }
    }
  }
  return sum;
}

function* partsOf(text: string): Generator<string> {
  if (text.length <= MAX_RUN_LENGTH) {
    yield text;
    return;
  }
  for (const [part] of text.matchAll(PARTS)) {
    yield part;
  }
}

/** Whether a text has more tokens than this. A token has at least one byte, so a short text isn't counted. */
export function exceedsTokens(text: string, limit: number): boolean {
  return Buffer.byteLength(text) > limit && countTokens(text, limit) > limit;
}

function countPart(text: string): number {
  if (text.length <= MAX_RUN_LENGTH) {
    return countBytePairs(text);
  }
  let sum = 0;
  for (const slice of slicesOf(text)) {
    sum += countBytePairs(slice);
  }
  return sum;
}

/** Longer than the answers of most models. Of a longer text, the rest is estimated. */
const MAX_COUNTED = 65_536;

/**
 * Counts the tokens of a text that comes in pieces. What comes after 65,536 characters counts as if it had as many tokens
 * per character as they do.
 */
export class TokenCounter {
  #length = 0;
  #counted = "";

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** In characters. */
  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    this.#length += piece.length;
    this.#counted += piece.slice(0, MAX_COUNTED - this.#counted.length);
  }

  /** Of all pieces so far. */
  async count(): Promise<number> {
    const tokens = await countTokensOf([this.#counted]);
    return this.isEmpty ? 0 : Math.ceil((tokens * this.#length) / this.#counted.length);
  }
}

/** A text in order: its long runs in slices, and all between two of them in one. */
function* slicesOf(text: string): Generator<string> {
  let end = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUNS)) {
    yield text.slice(end, index);
    for (let start = 0; start < run.length; start += MAX_RUN_LENGTH) {
      yield run.slice(start, start + MAX_RUN_LENGTH);
    }
    end = index + run.length;
  }
  yield text.slice(end);
}

/** Cuts a text after `limit` tokens, at a whole character. */
export function takeTokens(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) {
    return text;
  }
  let taken = 0;
  let left = limit;
  for (const slice of slicesOf(text)) {
    const lengths: number[] = [];
    if (countBytePairs(slice, lengths) > left) {
      const bytes = lengths.slice(0, left).reduce((sum, length) => sum + length, 0);
      // A cut inside a character leaves replacement characters at the end.
      const head = Buffer.from(slice).toString("utf8", 0, bytes);
      return text.slice(0, taken) + head.replace(/\uFFFD+$/, "");
    }
    taken += slice.length;
    left -= lengths.length;
  }
  return text;
}
