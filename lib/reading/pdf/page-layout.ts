import { type PdfBlock, regionBlocks } from "./blocks";
import { regionsOf } from "./columns";
import type { Box, Word } from "./geometry";
import { gridsOf } from "./grid";
import { lineNumbersOf } from "./line-numbers";
import { gridRows } from "./table-rows";

/**
 * The regions of upright text in reading order, and their blocks. Each ruled table has its place among them as one word;
 * numbers of lines come last.
 */
export function layOutUpright(
  words: readonly Word[],
  { rules, shades }: { rules: readonly Box[]; shades: readonly Box[] },
  isOrderKnown = true,
): { regions: Word[][]; blocks: PdfBlock[] } {
  const numbers = lineNumbersOf(words);
  const text = words.filter((word) => !numbers.has(word));
  const grids = gridsOf(text, rules, shades);
  const inTables = new Set(grids.flatMap((grid) => grid.words));
  const tables = grids.map(gridRows);
  const outside = text.filter((word) => !inTables.has(word));
  const ordered = regionsOf([...outside, ...tables], rules, isOrderKnown);
  const regions = numbers.size > 0 ? [...ordered, [...numbers]] : ordered;
  return { regions, blocks: regions.flatMap((region) => regionBlocks(region, rules)) };
}
