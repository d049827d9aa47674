import { countTokens, takeTokens } from "@/lib/text/tokens";
import { clip, MAX_HEADING } from "./describe";
import type { Block } from "./parse/block";

/** Limits on a chunk's headings together, because every prompt repeats them. */
const LONGEST_PATH = 400;
const PATH_TOKENS = 100;

/** Returns the headings above each block: those of its section, and a table's caption. One array per section or table. */
export function trackHeadings(): (block: Block) => string[] {
  let path: Block[] = [];
  let section: string[] = [];
  let table: { caption: string; headings: string[] } | null = null;
  return (block) => {
    const { kind, depth, caption } = block;
    if (kind === "heading") {
      path = [...path.filter((heading) => heading.depth < depth), block];
      section = shortPath(path.map(({ text }) => text));
    }
    if (caption === undefined) {
      table = null;
      return section;
    }
    if (table?.caption !== caption) {
      table = { caption, headings: shortPath([...path.map(({ text }) => text), caption]) };
    }
    return table.headings;
  };
}

/** Shortens the headings and drops the outermost ones that don't fit. */
function shortPath(headings: readonly string[]): string[] {
  const kept: string[] = [];
  let room = { characters: LONGEST_PATH, tokens: PATH_TOKENS };
  for (const heading of headings.toReversed()) {
    const text = takeTokens(clip(heading, MAX_HEADING), PATH_TOKENS);
    room = { characters: room.characters - text.length, tokens: room.tokens - countTokens(text) };
    if (kept.length > 0 && (room.characters < 0 || room.tokens < 0)) {
      break;
    }
    kept.unshift(text);
  }
  return kept;
}
