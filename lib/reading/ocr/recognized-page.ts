import type { Block } from "../parse/block";
import { type PdfBlock, regionBlocks } from "../pdf/blocks";
import type { Word } from "../pdf/geometry";
import { withHyphens } from "../pdf/headings";
import { layOutUpright } from "../pdf/page-layout";
import { boxesOf, rangesOf } from "../pdf/places";
import type { RecognizedWords } from "./recognized-words";

/** Text of a page that was recognized in its image. */
export interface RecognizedPage {
  /** From 1. */
  page: number;
  /** In reading order, with the places of their words. */
  blocks: Block[];
  /** The Tesseract language it was read as. */
  language: string;
  /** As a vision model read it, in Markdown; absent if none did. */
  written?: string;
}

/** The blocks of a page, which is laid out like one of a PDF. */
export function layOutWords(
  { words, aside, rules, unsure }: RecognizedWords,
  page: number,
): Block[] {
  const { blocks } = layOutUpright(words, { rules, shades: [] }, false);
  return withHyphens([...blocks, ...aside.flatMap((turned) => regionBlocks(turned, []))])
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map((block) => toRecognized(block, { page, unsure }));
}

function toRecognized(
  block: PdfBlock,
  { page, unsure }: { page: number; unsure: ReadonlySet<Word> },
): Block {
  const { kind, depth, text, head } = block;
  const { rows, words } = block;
  const names = rows?.rows.slice(0, rows.heads).flatMap((row) => row.words) ?? [];
  const unsureInRow = (written: string) => unsureAmong([...names, ...words], written, unsure);
  const uncertain = kind === "row" ? unsureInRow(text) : unsureIn(block, unsure);
  const named = head !== undefined && { head, uncertainHead: unsureInRow(head) };
  return { kind, depth, text, ...named, page, uncertain, boxes: boxesOf({ ...block, page }) };
}

/** The ranges of words that may be wrong. One that was hyphenated counts as a whole. */
function unsureIn(block: PdfBlock, unsure: ReadonlySet<Word>): number[] {
  const ranges: number[] = [];
  for (const [at, range] of rangesOf(block).entries()) {
    const word = block.words[at];
    if (range && word && unsure.has(word)) {
      const start = block.text.slice(0, range.start).search(/\S+$/);
      const end = block.text.slice(range.end).search(/\s|$/);
      addRange(ranges, start < 0 ? range.start : start, range.end + end);
    }
  }
  return ranges;
}

/** A row's cells have an order of their own, so each word that spells like an unsure one counts, names of columns too. */
function unsureAmong(words: readonly Word[], text: string, unsure: ReadonlySet<Word>): number[] {
  const spelled = new Set(words.filter((word) => unsure.has(word)).map((word) => word.text));
  const ranges: number[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (spelled.has(word) || spelled.has(word.replace(/:$/, ""))) {
      addRange(ranges, index, index + word.length);
    }
  }
  return ranges;
}

/** Adds a range, in place of one of the same word's first part. */
function addRange(ranges: number[], start: number, end: number): void {
  if (ranges.at(-2) === start) {
    ranges.splice(-2);
  }
  ranges.push(start, end);
}
