import { type PdfBlock, regionBlocks } from "./blocks";
import { regionsOf } from "./columns";
import type { Box, Word } from "./geometry";
import { gridsOf } from "./grid";
import { gridRows } from "./table-rows";

/** The regions of upright text in reading order, and their blocks. Each ruled table has its place among them as one word. */
export function layOutUpright(
  words: readonly Word[],
  rules: readonly Box[],
  isOrderKnown = true,
): { regions: Word[][]; blocks: PdfBlock[] } {
  const grids = gridsOf(words, rules);
  const inTables = new Set(grids.flatMap((grid) => grid.words));
  const tables = grids.map(gridRows);
  const outside = words.filter((word) => !inTables.has(word));
  const regions = regionsOf([...outside, ...tables], rules, isOrderKnown);
  return { regions, blocks: regions.flatMap((region) => regionBlocks(region, rules)) };
}
