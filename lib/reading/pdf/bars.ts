import { type Box, boundsOf, type Word } from "./geometry";

/** In points: rules that touch within this are joined, and edges closer than this are one. */
export const TOUCH = 3;
/** A bar of color covers at least this share of a table's width, and less of its height. */
const BAR_SHARE = 0.9;

/** The bars of color across a table, each of one area or of one for each cell. */
export function barsOf(bounds: Box, shades: readonly Box[]): Box[] {
  const inside = shades.filter(
    ({ x0, x1, y0, y1 }) =>
      x0 > bounds.x0 - TOUCH &&
      x1 < bounds.x1 + TOUCH &&
      y0 > bounds.y0 - TOUCH &&
      y1 < bounds.y1 + TOUCH,
  );
  const rows = Map.groupBy(inside, ({ y0, y1 }) => `${Math.round(y0)} ${Math.round(y1)}`);
  return [...rows.values()]
    .filter((row) => {
      const width = row.reduce((sum, { x0, x1 }) => sum + x1 - x0, 0);
      return width >= (bounds.x1 - bounds.x0) * BAR_SHARE;
    })
    .map(boundsOf)
    .filter(({ y0, y1 }) => y1 - y0 < (bounds.y1 - bounds.y0) * BAR_SHARE);
}

export function isOnBars(words: readonly Word[], bars: readonly Box[]): boolean {
  return words.length > 0 && words.every((word) => bars.some((bar) => contains(bar, word)));
}

export function contains(box: Box, word: Word): boolean {
  const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
  return x > box.x0 - 1 && x < box.x1 + 1 && y > box.y0 - 1 && y < box.y1 + 1;
}

/** Groups of rules that touch each other. */
export function connected(rules: readonly Box[]): Box[][] {
  let groups: { bounds: Box; rules: Box[] }[] = [];
  for (const rule of rules) {
    const near = groups.filter((group) => group.rules.some((other) => touches(other, rule)));
    const all = [rule, ...near.flatMap((group) => group.rules)];
    groups = [
      ...groups.filter((group) => !near.includes(group)),
      { bounds: boundsOf(all), rules: all },
    ];
  }
  return groups.map((group) => group.rules);
}

function touches(a: Box, b: Box): boolean {
  return (
    a.x0 <= b.x1 + TOUCH && b.x0 <= a.x1 + TOUCH && a.y0 <= b.y1 + TOUCH && b.y0 <= a.y1 + TOUCH
  );
}
