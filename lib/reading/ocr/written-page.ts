import type { Block } from "../parse/block";
import { parseMarkdown } from "../parse/markdown";
import type { RecognizedPage } from "./recognized-page";

/** Of what Tesseract read with confidence: a model that writes fewer of these words has written something else. */
const MIN_SHARED = 0.6;
/** With fewer words there is nothing to compare. */
const MIN_COMPARED_WORDS = 8;
const WORD = /\p{L}{4,}/gu;
const NUMBER = /\d+(?:[.,:/]\d+)*/g;
/** A model may wrap its answer in a block of code. */
const FENCE = /^\s*```(?:markdown|md)?\s*\n([\s\S]*?)\n?```\s*$/;

/** Whether a model's text is that of a page, as far as Tesseract could read it, and not a remark or another text. */
export function isTranscript(written: string, blocks: readonly Block[]): boolean {
  const words = [...new Set(blocks.flatMap((block) => sureMatches(block, WORD)))];
  const found = new Set(matchesIn(written, WORD));
  const shared = words.filter((word) => found.has(word)).length;
  return words.length < MIN_COMPARED_WORDS
    ? written.trim() !== ""
    : shared >= words.length * MIN_SHARED;
}

/**
 * The blocks of a page as a vision model read it. A model has no confidence of its own, so a number is uncertain unless
 * Tesseract read it on the same page with confidence.
 */
export function writtenBlocks({ page, written = "", blocks }: RecognizedPage): Block[] {
  const numbers = new Set(blocks.flatMap((block) => sureMatches(block, NUMBER)));
  const text = FENCE.exec(written)?.[1] ?? written;
  return parseMarkdown(text).blocks.map((block) => ({
    ...block,
    page,
    uncertain: [...block.text.matchAll(NUMBER)].flatMap(({ 0: number, index }) =>
      numbers.has(number) ? [] : [index, index + number.length],
    ),
  }));
}

/** What a block has of a pattern, in lower case, outside its uncertain ranges. */
function sureMatches({ text, uncertain = [] }: Block, pattern: RegExp): string[] {
  const isSure = (start: number, end: number) =>
    !uncertain.some((from, at) => at % 2 === 0 && from < end && (uncertain[at + 1] ?? 0) > start);
  return [...text.matchAll(pattern)].flatMap(({ 0: match, index }) =>
    isSure(index, index + match.length) ? [match.toLowerCase()] : [],
  );
}

function matchesIn(text: string, pattern: RegExp): string[] {
  return text.toLowerCase().match(pattern) ?? [];
}
