import { countTokens } from "@/lib/models/tokens";
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

interface Piece {
  start: number;
  end: number;
  tokens: number;
  headings: string[];
}

const TARGET_TOKENS = 400;
/** A chunk repeats about this much of the end of the one before it, under the same headings. */
const OVERLAP_TOKENS = 60;
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * The canonical text of the blocks, and its chunks of about 400 tokens. A chunk never spans two
 * headings; it is cut between blocks, a long block between sentences, a long sentence between words.
 */
export function chunkBlocks(blocks: readonly Block[]): ChunkedText {
  const { text, pieces } = layOut(blocks);
  const chunks = groups(pieces).map((group) => toChunk(text, group));
  return { text, chunks };
}

function layOut(blocks: readonly Block[]): { text: string; pieces: Piece[] } {
  let text = "";
  const pieces: Piece[] = [];
  let path: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    const line = block.kind === "item" ? `- ${block.text}` : block.text;
    text += gap(blocks[index - 1], block);
    if (block.kind === "heading") {
      path = [...path.filter((heading) => heading.depth < block.depth), block];
    } else {
      const headings = path.map((heading) => heading.text);
      for (const piece of cut(line)) {
        pieces.push({ ...shift(piece, text.length), headings });
      }
    }
    text += line;
  }
  return { text, pieces };
}

function shift<T extends { start: number; end: number }>(piece: T, by: number): T {
  return { ...piece, start: piece.start + by, end: piece.end + by };
}

/** Between two blocks: nothing before the first, a line's end inside a list or table, else a blank line. */
function gap(before: Block | undefined, block: Block): string {
  if (!before) {
    return "";
  }
  const isTight = before.kind === block.kind && (block.kind === "item" || block.kind === "row");
  return isTight ? "\n" : "\n\n";
}

/** Pieces of a line that fit into a chunk: the line itself, its sentences, or runs of its words. */
function cut(line: string): Omit<Piece, "headings">[] {
  const whole = { start: 0, end: line.length, tokens: countTokens(line) };
  if (whole.tokens <= TARGET_TOKENS) {
    return [whole];
  }
  const parts = [...sentences.segment(line)].map(({ segment, index }) => ({ segment, index }));
  const smaller =
    parts.length > 1
      ? parts
      : [...line.matchAll(/\S{1,200}\s*/g)].map((match) => ({
          segment: match[0],
          index: match.index,
        }));
  return smaller.flatMap(({ segment, index }) => {
    const part = segment.trimEnd();
    return parts.length > 1
      ? cut(part).map((piece) => shift(piece, index))
      : [{ start: index, end: index + part.length, tokens: countTokens(part) }];
  });
}

/** Consecutive pieces that become one chunk each, with an overlap where a section goes on. */
function groups(pieces: readonly Piece[]): Piece[][] {
  const result: Piece[][] = [];
  let current: Piece[] = [];
  let tokens = 0;
  for (const piece of pieces) {
    const isSameSection = current[0]?.headings === undefined || sameHeadings(current[0], piece);
    if (current.length > 0 && (!isSameSection || tokens + piece.tokens > TARGET_TOKENS)) {
      result.push(current);
      current = isSameSection ? overlap(current) : [];
      tokens = sum(current);
    }
    current.push(piece);
    tokens += piece.tokens;
  }
  return current.length > 0 ? [...result, current] : result;
}

function sameHeadings(a: Piece, b: Piece): boolean {
  return (
    a.headings.length === b.headings.length && a.headings.every((text, i) => text === b.headings[i])
  );
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
