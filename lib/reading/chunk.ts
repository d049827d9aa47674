import { sentenceRanges } from "@/lib/text/sentences";
import { countTokens } from "@/lib/text/tokens";
import { type CanonicalText, type Line, layOut } from "./canonical-text";
import { DocumentError } from "./document-error";
import type { Block } from "./parse/block";

/** A passage: the text's exact range [charStart, charEnd) and the headings above it. */
export interface ChunkDraft {
  text: string;
  charStart: number;
  charEnd: number;
  /** Null in a text without pages. */
  pageStart: number | null;
  pageEnd: number | null;
  headings: string[];
  tokenCount: number;
  /** Whether part of it is in a block that a person can't see. */
  isHidden: boolean;
  /** Whether part of it was recognized in an image. */
  isRecognized: boolean;
}

export interface ChunkLimits {
  maxChunks: number;
  chunkTokens: number;
  /** How much of the previous chunk of the same section a chunk repeats. */
  overlapTokens: number;
}

interface Cut {
  start: number;
  end: number;
  tokens: number;
}

interface Piece extends Cut {
  line: Line;
}

/** A longer line is split without counting its tokens first. */
const MOST_CHARACTERS_PER_TOKEN = 20;
/** Words are counted in runs of this many characters. A longer word is split. */
const LONGEST_RUN = 80;
/** Longer white space separates chunks. */
const LONGEST_GAP = 100;
/** Sentences are looked for in one stretch at a time, to save memory: a log may have no blank line at all. */
const STRETCHES = /\S(?:.{0,65535}(?:\n|$)|.{0,65535}(?:\s|$)|.{0,65535})/gsu;
const WORDS = new RegExp(`\\S{1,${LONGEST_RUN}}\\s*`, "gu");

/**
 * Builds the canonical text and splits it into chunks: at headings, between blocks, in a long block between
 * sentences, in a long sentence between words. `pageStarts` are the offsets at which pages begin, from page 1, and
 * `starts` those of the blocks' own texts. Throws too_many_chunks at the limit.
 */
export function chunkBlocks(
  blocks: readonly Block[],
  limits: ChunkLimits,
): Omit<CanonicalText, "lines"> & { chunks: ChunkDraft[] } {
  const { text, lines, ...places } = layOut(blocks, limits.chunkTokens);
  const chunks: ChunkDraft[] = [];
  for (const group of groups(piecesOf(lines, limits.chunkTokens), limits)) {
    if (chunks.length === limits.maxChunks) {
      throw new DocumentError(
        "too_many_chunks",
        `The document has more than ${limits.maxChunks} chunks. Split it and upload the parts.`,
      );
    }
    chunks.push(toChunk(text, group));
  }
  return { text, chunks, ...places };
}

/** Yields pieces that fit into a chunk: a line, its sentences, or runs of its words. */
function* piecesOf(lines: readonly Line[], most: number): Generator<Piece> {
  for (const line of lines) {
    for (const piece of cut(line.text, most)) {
      yield { ...piece, start: piece.start + line.start, end: piece.end + line.start, line };
    }
  }
}

function* cut(line: string, most: number): Generator<Cut> {
  const whole = fitting(line, 0, most);
  if (whole) {
    yield whole;
    return;
  }
  for (const { 0: stretch, index } of line.matchAll(STRETCHES)) {
    const starts = sentenceRanges(stretch).map(({ start }) => start);
    for (const [at, start] of starts.entries()) {
      const text = stretch.slice(start, starts[at + 1]);
      const sentence = fitting(text, index + start, most);
      if (sentence) {
        yield sentence;
      } else {
        yield* runsOf(text, index + start);
      }
    }
  }
}

function fitting(text: string, start: number, most: number): Cut | null {
  const piece = text.length <= most * MOST_CHARACTERS_PER_TOKEN ? toPiece(text, start) : null;
  return piece && piece.tokens <= most ? piece : null;
}

function* runsOf(text: string, start: number): Generator<Cut> {
  let from = 0;
  let to = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (to > from && index + word.length - from > LONGEST_RUN) {
      yield toPiece(text.slice(from, to), start + from);
      from = index;
    }
    to = index + word.length;
  }
  if (to > from) {
    yield toPiece(text.slice(from, to), start + from);
  }
}

/** Excludes trailing white space from the range, but counts its tokens, because it separates pieces. */
function toPiece(text: string, start: number): Cut {
  const { length } = text.trimEnd();
  return { start, end: start + length, tokens: countTokens(text.slice(0, length + LONGEST_GAP)) };
}

/** Groups consecutive pieces into chunks, which overlap within a section. */
function* groups(pieces: Iterable<Piece>, limits: ChunkLimits): Generator<Piece[]> {
  let current: Piece[] = [];
  let tokens = 0;
  for (const piece of pieces) {
    const before = current.at(-1);
    const isContinuous =
      before?.line.headings === piece.line.headings && piece.start - before.end <= LONGEST_GAP;
    const needed = neededBy(piece, before);
    if (before && (!isContinuous || tokens + needed > limits.chunkTokens)) {
      yield current;
      const room = Math.min(limits.overlapTokens, limits.chunkTokens - needed);
      current = isContinuous ? overlap(current, room) : [];
      tokens = sum(current);
    }
    current.push(piece);
    tokens += piece.tokens;
  }
  if (current.length > 0) {
    yield current;
  }
}

/** The tokens of a piece, or of a header with the rows below it, which follow it into its chunk. */
function neededBy({ line: { table }, tokens }: Piece, before: Piece | undefined): number {
  return table && table !== before?.line.table ? table.tokens : tokens;
}

/** The last pieces that fit, without rows: these would lack their header. */
function overlap(pieces: readonly Piece[], most: number): Piece[] {
  const outside = pieces.slice(pieces.findLastIndex(({ line }) => line.table !== null) + 1);
  const start = outside.findIndex((_, index) => sum(outside.slice(index)) <= most);
  return start < 0 ? [] : outside.slice(start);
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, piece) => total + piece.tokens, 0);
}

function toChunk(text: string, pieces: readonly Piece[]): ChunkDraft {
  const charStart = pieces[0]?.start ?? 0;
  const charEnd = pieces.at(-1)?.end ?? 0;
  const passage = text.slice(charStart, charEnd);
  return {
    text: passage,
    charStart,
    charEnd,
    pageStart: pieces[0]?.line.page ?? null,
    pageEnd: pieces.at(-1)?.line.page ?? null,
    headings: pieces[0]?.line.headings ?? [],
    tokenCount: countTokens(passage),
    isHidden: pieces.some(({ line }) => line.isHidden),
    isRecognized: pieces.some(({ line }) => line.isRecognized),
  };
}
