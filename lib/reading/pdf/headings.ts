import type { PdfBlock } from "./blocks";
import { MAYBE_HYPHEN } from "./lines";
import { withoutMarks } from "./places";

/** As a multiple of the body's size: larger letters make a heading. */
const LARGER = 1.14;
const MAX_HEADING = 160;
const MAX_LINES = 3;
const MAX_DEPTH = 6;
/** Documents of which more is bold use it for something else. */
const MAX_BOLD_SHARE = 0.35;
/** A sentence, a number, or an entry in a table of contents. */
const NOT_A_TITLE = /[.,;:]$|^[\d\s.,:;%()/-]*$|… ?(?:\d+|[ivxlc]+)$/i;
const LETTERS = /\p{L}{2}/u;

/** Marks headings by their size and weight, with levels by size. */
export function withHeadings(blocks: readonly PdfBlock[]): PdfBlock[] {
  const body = bodySizeOf(blocks);
  const isLarge = (block: PdfBlock) => canBeHeading(block) && block.size >= body * LARGER;
  const total = blocks.reduce((sum, { text }) => sum + text.length, 0);
  const bold = blocks.reduce((sum, { text, isBold }) => sum + (isBold ? text.length : 0), 0);
  const isBoldRare = bold <= total * MAX_BOLD_SHARE;
  const isBoldTitle = (block: PdfBlock, at: number) => {
    const next = blocks[at + 1];
    const isFollowed = next !== undefined && !(next.isBold && next.kind === "paragraph");
    return (
      isBoldRare && canBeHeading(block) && block.isBold && block.size >= body * 0.95 && isFollowed
    );
  };
  const sizes = [...new Set(blocks.filter(isLarge).map(({ size }) => rounded(size)))].sort(
    (a, b) => b - a,
  );
  return blocks.map((block, at) => {
    if (isLarge(block)) {
      return toHeading(block, sizes.indexOf(rounded(block.size)) + 1);
    }
    return isBoldTitle(block, at) ? toHeading(block, sizes.length + 1) : block;
  });
}

function toHeading(block: PdfBlock, depth: number): PdfBlock {
  return { ...block, kind: "heading", depth: Math.min(depth, MAX_DEPTH) };
}

function canBeHeading({ kind, text, lines }: PdfBlock): boolean {
  return (
    kind === "paragraph" &&
    text.length <= MAX_HEADING &&
    lines <= MAX_LINES &&
    LETTERS.test(text) &&
    !NOT_A_TITLE.test(text)
  );
}

/** The size of most characters outside tables. */
function bodySizeOf(blocks: readonly PdfBlock[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of blocks) {
    counts.set(rounded(size), (counts.get(rounded(size)) ?? 0) + (size > 0 ? text.length : 0));
  }
  const [most = [1, 0]] = [...counts].sort(([, a], [, b]) => b - a);
  return most[0];
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

/** Decides for each word that was divided at the end of a line whether it has a hyphen, by how the document spells it. */
export function withHyphens(blocks: readonly PdfBlock[]): PdfBlock[] {
  const divided = new RegExp(`([\\p{L}\\p{N}]+)${MAYBE_HYPHEN}([\\p{L}\\p{N}]+)`, "gu");
  const compounds = new Set<string>();
  const words = new Set<string>();
  if (blocks.some(({ text, head = "" }) => `${text}${head}`.includes(MAYBE_HYPHEN))) {
    for (const { text } of blocks) {
      for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)) {
        (word.includes("-") ? compounds : words).add(word);
      }
    }
  }
  const join = (_: string, before: string, after: string) => {
    const hasHyphen =
      !words.has(`${before}${after}`.toLowerCase()) &&
      compounds.has(`${before}-${after}`.toLowerCase());
    return `${before}${hasHyphen ? "-" : ""}${after}`;
  };
  const whole = (text: string) => text.replace(divided, join).replaceAll(MAYBE_HYPHEN, "");
  return blocks.map(({ head, ...block }) => {
    const text = whole(block.text);
    const change = { before: block.text, after: text, mark: MAYBE_HYPHEN };
    const named = head !== undefined && { head: whole(head) };
    return {
      ...block,
      ...named,
      text,
      ...(block.boxes && { boxes: withoutMarks(block.boxes, change) }),
    };
  });
}
