import { setImmediate } from "node:timers/promises";
import { countTokens, takeTokens } from "@/lib/models/tokens";
import { clip, LONGEST_HEADING } from "./clip";
import { DocumentFault } from "./fault";
import type { Block } from "./parse";

/** A passage: the text's exact range [charStart, charEnd), under the headings it stands below. */
export interface ChunkDraft {
  text: string;
  charStart: number;
  charEnd: number;
  headings: string[];
  tokenCount: number;
}

export interface ChunkedText {
  /** The canonical text: every range of a chunk is a range of it. */
  text: string;
  chunks: ChunkDraft[];
}

/** A block other than a heading, where it stands in the canonical text. */
interface Line {
  text: string;
  start: number;
  /** One array per section, so that its identity tells two sections apart. */
  headings: string[];
}

interface Piece {
  start: number;
  end: number;
  tokens: number;
  headings: string[];
}

const TARGET_TOKENS = 400;
/** A chunk repeats about this much of the end of the one before it, under the same headings. */
const OVERLAP_TOKENS = 60;
/** A line longer than this is cut without counting its tokens first. */
const LONGEST_LINE = 8000;
/** Words are counted in runs of this many characters; a longer word is cut. */
const LONGEST_RUN = 80;
/** White space longer than this parts two chunks. */
const LONGEST_GAP = 100;
/** A chunk's headings together, the innermost first: they stand in each prompt beside the passage. */
const LONGEST_PATH = 400;
const PATH_TOKENS = 100;
/** Other requests are answered after as many chunks. */
const CHUNKS_PER_TURN = 50;
const WORDS = new RegExp(`\\S{1,${LONGEST_RUN}}\\s*`, "gu");
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * The canonical text of the blocks, and its chunks of about 400 tokens. A chunk never spans two
 * headings; it is cut between blocks, a long block between sentences, a long sentence between words.
 * Throws too_many_chunks as soon as there would be more than `limit`.
 */
export async function chunkBlocks(blocks: readonly Block[], limit: number): Promise<ChunkedText> {
  const { text, lines } = layOut(blocks);
  const chunks: ChunkDraft[] = [];
  for (const group of groups(piecesOf(lines))) {
    if (chunks.length === limit) {
      throw new DocumentFault(
        "too_many_chunks",
        `The document makes more than ${limit} chunks. Split it and upload the parts.`,
      );
    }
    chunks.push(toChunk(text, group));
    if (chunks.length % CHUNKS_PER_TURN === 0) {
      await setImmediate();
    }
  }
  return { text, chunks };
}

function layOut(blocks: readonly Block[]): { text: string; lines: Line[] } {
  const parts: string[] = [];
  const lines: Line[] = [];
  let length = 0;
  let path: Block[] = [];
  let headings: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const before = gap(blocks[index - 1], block);
    const text = block.kind === "item" ? `- ${block.text}` : block.text;
    if (block.kind === "heading") {
      path = [...path.filter((heading) => heading.depth < block.depth), block];
      headings = shortPath(path.map((heading) => heading.text));
    } else {
      lines.push({ text, start: length + before.length, headings });
    }
    parts.push(before, text);
    length += before.length + text.length;
  }
  return { text: parts.join(""), lines };
}

/** The headings cut short, and without the outermost ones that do not fit. */
function shortPath(headings: readonly string[]): string[] {
  const kept: string[] = [];
  let room = { characters: LONGEST_PATH, tokens: PATH_TOKENS };
  for (const heading of headings.toReversed()) {
    const text = takeTokens(clip(heading, LONGEST_HEADING), PATH_TOKENS);
    room = { characters: room.characters - text.length, tokens: room.tokens - countTokens(text) };
    if (kept.length > 0 && (room.characters < 0 || room.tokens < 0)) {
      break;
    }
    kept.unshift(text);
  }
  return kept;
}

/** Between two blocks: nothing before the first, a line's end inside a list or table, else a blank line. */
function gap(before: Block | undefined, block: Block): string {
  if (!before) {
    return "";
  }
  const isTight = before.kind === block.kind && (block.kind === "item" || block.kind === "row");
  return isTight ? "\n" : "\n\n";
}

/** Pieces that fit into a chunk, made as they are asked for: a line, its sentences, or runs of its words. */
function* piecesOf(lines: readonly Line[]): Generator<Piece> {
  for (const { text, start, headings } of lines) {
    for (const piece of cut(text)) {
      yield { ...piece, start: piece.start + start, end: piece.end + start, headings };
    }
  }
}

type Cut = Omit<Piece, "headings">;

function* cut(line: string): Generator<Cut> {
  const whole = fitting(line, 0);
  if (whole) {
    yield whole;
    return;
  }
  for (const { segment, index } of sentences.segment(line)) {
    const sentence = fitting(segment, index);
    if (sentence) {
      yield sentence;
    } else {
      yield* runsOf(segment, index);
    }
  }
}

function fitting(text: string, start: number): Cut | null {
  const piece = text.length <= LONGEST_LINE ? toPiece(text, start) : null;
  return piece && piece.tokens <= TARGET_TOKENS ? piece : null;
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

/** Ends before the white space at its end, which counts all the same: it stands between two pieces. */
function toPiece(text: string, start: number): Cut {
  const { length } = text.trimEnd();
  return { start, end: start + length, tokens: countTokens(text.slice(0, length + LONGEST_GAP)) };
}

/** Consecutive pieces that become one chunk each, with an overlap where a section goes on. */
function* groups(pieces: Iterable<Piece>): Generator<Piece[]> {
  let current: Piece[] = [];
  let tokens = 0;
  for (const piece of pieces) {
    const before = current.at(-1);
    const goesOn = before?.headings === piece.headings && piece.start - before.end <= LONGEST_GAP;
    if (before && (!goesOn || tokens + piece.tokens > TARGET_TOKENS)) {
      yield current;
      current = goesOn ? overlap(current) : [];
      tokens = sum(current);
    }
    current.push(piece);
    tokens += piece.tokens;
  }
  if (current.length > 0) {
    yield current;
  }
}

function overlap(pieces: readonly Piece[]): Piece[] {
  const tail: Piece[] = [];
  for (const piece of pieces.toReversed()) {
    if (sum(tail) + piece.tokens > OVERLAP_TOKENS) {
      break;
    }
    tail.unshift(piece);
  }
  return tail;
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
    headings: pieces[0]?.headings ?? [],
    tokenCount: countTokens(passage),
  };
}
