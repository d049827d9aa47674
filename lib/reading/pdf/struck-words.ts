import type { Box, Word } from "./geometry";

/** In em above the baseline: where a line strikes words out. Lower ones underline, higher ones are above the letters. */
const LOWEST = 0.12;
const HIGHEST = 0.55;
/** The share of a word's width that a line crosses. */
const MIN_CROSSED = 0.6;
/** In em: how far a line may begin before the words that it crosses, and end behind them. Longer ones belong to a table. */
const OVERHANG = 0.8;

/** Words with those marked that a line crosses or that lie in an area that is struck out. */
export function withStruck(
  words: readonly Word[],
  { strokes, areas }: { strokes: readonly Box[]; areas: readonly Box[] },
): Word[] {
  const crossed = new Set([
    ...strokes.flatMap((stroke) => crossedBy(stroke, words)),
    ...areas.flatMap((area) => words.filter((word) => isInside(word, area))),
  ]);
  return crossed.size === 0
    ? [...words]
    : words.map((word) => (crossed.has(word) ? { ...word, isStruck: true } : word));
}

/** The words that a line strikes out; none if it is longer than they are. */
function crossedBy(stroke: Box, words: readonly Word[]): Word[] {
  if (stroke.x1 - stroke.x0 <= stroke.y1 - stroke.y0) {
    return [];
  }
  const middle = (stroke.y0 + stroke.y1) / 2;
  const level = words.filter(({ base, size, x0, x1 }) => {
    const height = base - middle;
    const shared = Math.min(x1, stroke.x1) - Math.max(x0, stroke.x0);
    return height >= LOWEST * size && height <= HIGHEST * size && shared >= MIN_CROSSED * (x1 - x0);
  });
  const size = Math.max(...level.map((word) => word.size));
  const isFitting =
    Math.min(...level.map(({ x0 }) => x0)) - stroke.x0 <= OVERHANG * size &&
    stroke.x1 - Math.max(...level.map(({ x1 }) => x1)) <= OVERHANG * size;
  return isFitting ? level.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)) : [];
}

function isInside(word: Word, area: Box): boolean {
  const y = word.base - ((LOWEST + HIGHEST) / 2) * word.size;
  const shared = Math.min(word.x1, area.x1) - Math.max(word.x0, area.x0);
  return y > area.y0 && y < area.y1 && shared >= MIN_CROSSED * (word.x1 - word.x0);
}
