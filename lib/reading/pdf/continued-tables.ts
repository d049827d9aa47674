import type { PdfBlock } from "./blocks";
import { rowBlocks, type TableRows } from "./table-rows";
import { CAPTION } from "./tables";

/** How many short blocks, such as a page number, may stand between a table and the edge of its page. */
const MAX_BETWEEN = 2;
const MAX_CHARACTERS_BETWEEN = 80;
/** A longer table may be split, so that its passages need the caption. */
const MIN_SPLIT = 500;
const MAX_CAPTION = 200;

/** Adds column names to a table continued from the previous page, and captions to every part of a long table. */
export function withWholeTables(blocks: readonly PdfBlock[]): PdfBlock[] {
  const whole: PdfBlock[][] = [];
  const captions: (string | null)[] = [];
  const parts = partsOf(blocks);
  for (const [at, part] of parts.entries()) {
    const before = lastTable(whole, part);
    const table = part[0]?.rows;
    const heads = before && table ? continuedHeads(before.rows, table) : null;
    whole.push(heads ? continueTable(part, heads) : part);
    captions.push(captionOf(parts, at) ?? (before && heads ? (captions[before.at] ?? null) : null));
  }
  return whole.flatMap((part, at) => withCaption(part, captions[at] ?? null));
}

/** The blocks, with those of one table together. */
function partsOf(blocks: readonly PdfBlock[]): PdfBlock[][] {
  const parts: PdfBlock[][] = [];
  for (const block of blocks) {
    const part = parts.at(-1);
    if (part && block.rows && part[0]?.rows === block.rows) {
      part.push(block);
    } else {
      parts.push([block]);
    }
  }
  return parts;
}

/** The table that ends the page before the one that a table begins. */
function lastTable(parts: readonly PdfBlock[][], [first]: readonly PdfBlock[]) {
  const page = first?.page ?? 0;
  for (let at = parts.length - 1; at >= Math.max(0, parts.length - 1 - MAX_BETWEEN); at -= 1) {
    const block = parts[at]?.[0];
    if (block?.rows) {
      return block.page === page - 1 ? { rows: block.rows, at } : null;
    }
    if (!block || block.text.length > MAX_CHARACTERS_BETWEEN) {
      return null;
    }
  }
  return null;
}

/** The rows that name the columns of a table, if another one without names has the same columns. */
function continuedHeads(before: TableRows, { rows, heads }: TableRows): TableRows["rows"] | null {
  const names = before.rows.slice(0, before.heads);
  const isAlike = names.length > 0 && names[0]?.cells.length === rows[0]?.cells.length;
  return isAlike && heads === 0 ? names : null;
}

function continueTable(part: readonly PdfBlock[], heads: TableRows["rows"]): PdfBlock[] {
  const [first] = part;
  if (!first?.rows) {
    return [...part];
  }
  const all = { rows: [...heads, ...first.rows.rows], heads: heads.length };
  return rowBlocks(all, heads.length).map((block) => ({ ...first, ...block }));
}

/** A caption directly above a table, or else below it. */
function captionOf(parts: readonly PdfBlock[][], at: number): string | null {
  const [above, below] = [parts[at - 1]?.at(-1), parts[at + 1]?.[0]];
  const caption = [above, below].find((block) => block && !block.rows && CAPTION.test(block.text));
  return caption?.text.slice(0, MAX_CAPTION).toWellFormed() ?? null;
}

function withCaption(part: readonly PdfBlock[], caption: string | null): PdfBlock[] {
  const length = part.reduce((sum, { text }) => sum + text.length, 0);
  return caption && part[0]?.rows && length >= MIN_SPLIT
    ? part.map((block) => ({ ...block, caption }))
    : [...part];
}
