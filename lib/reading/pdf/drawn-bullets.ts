import type { Box, Word } from "./geometry";
import { isRightToLeft } from "./lines";

/** In em: how high a bullet is, and how far before its text it is. */
const MIN_HEIGHT = 0.15;
const MAX_HEIGHT = 0.6;
const MAX_DISTANCE = 1.6;
const MIN_DISTANCE = 0.15;
/** In em above the baseline: where its middle is. */
const LOWEST = 0.05;
const HIGHEST = 0.6;
/** In em: text that ends so near before it is on its line. */
const CLEAR = 2;
/** In points: by how much the widths of a page's bullets differ at most. One alone may be anything. */
const SAME = 0.3;
const LEAST = 2;
/** The share of a page's dots that are bullets, if any are. */
const MIN_SHARE = 0.5;

/** The bullets that a page draws as shapes before words, as browsers do, as words. */
export function drawnBullets(words: readonly Word[], dots: readonly Box[]): Word[] {
  const bullets = dots.flatMap((dot) => {
    const word = firstBehind(dot, words);
    return word ? [toBullet(dot, word)] : [];
  });
  // Others are the points of a plot.
  if (bullets.length <= dots.length * MIN_SHARE) {
    return [];
  }
  const widthOf = ({ x0, x1 }: Box) => x1 - x0;
  return bullets.filter(
    (each) =>
      bullets.filter((other) => Math.abs(widthOf(other) - widthOf(each)) <= SAME).length >= LEAST,
  );
}

/** The first word behind a dot, on its left in text from right to left; null if a word is on the other side as well. */
function firstBehind(dot: Box, words: readonly Word[]): Word | null {
  const middle = (dot.y0 + dot.y1) / 2;
  const level = words.filter(
    ({ base, size }) => middle > base - HIGHEST * size && middle < base - LOWEST * size,
  );
  const word = level.find(({ text, x0, x1, size }) => {
    const distance = (isRightToLeft(text) ? dot.x0 - x1 : x0 - dot.x1) / size;
    const height = (dot.y1 - dot.y0) / size;
    const isNear = distance >= MIN_DISTANCE && distance <= MAX_DISTANCE;
    return isNear && height >= MIN_HEIGHT && height <= MAX_HEIGHT;
  });
  if (!word) {
    return null;
  }
  const [x0, x1] = isRightToLeft(word.text)
    ? [dot.x1, dot.x1 + CLEAR * word.size]
    : [dot.x0 - CLEAR * word.size, dot.x0];
  return level.some((other) => other.x0 < x1 && other.x1 > x0) ? null : word;
}

function toBullet({ x0, x1 }: Box, word: Word): Word {
  const { base, y0, y1, size, isBold, isHidden, order } = word;
  return { text: "•", x0, x1, y0, y1, base, size, isBold, isHidden, order: order - 0.5 };
}
