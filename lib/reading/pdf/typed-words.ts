import type { Note } from "./annotations";
import type { Box, Word } from "./geometry";
import { heightOf } from "./words";

/** How much of a field's height its letters take, and their largest size. */
const FIELD_SHARE = 0.75;
const MAX_FIELD_POINTS = 12;
/** How far below its top the first baseline of a field stands, in em. */
const FIELD_ASCENT = 0.95;
const LINE_HEIGHT = 1.2;
/** In em: about how wide a character is. */
export const CHARACTER_WIDTH = 0.5;

/** Where the file would have a value: after its label on the same line, or else at the end. */
export function orderBeside(words: readonly Word[], value: Word): number {
  const before = words.filter(
    (word) => word.x0 < value.x0 && Math.abs(word.base - value.base) < value.size / 2,
  );
  const label = before.toSorted((a, b) => a.x0 - b.x0).at(-1) ?? words.at(-1);
  return (label?.order ?? 0) + 0.5;
}

/** The lines of a note, each as one word. */
export function wordsOfNote({ text }: Note, box: Box): Word[] {
  const lines = text.split(/\r\n?|\n/);
  const size = Math.min(MAX_FIELD_POINTS, (box.y1 - box.y0) * FIELD_SHARE) || MAX_FIELD_POINTS;
  const isSingle = lines.length === 1;
  return lines.flatMap((line, at) => {
    const middle = (box.y0 + box.y1) / 2 + size * 0.3;
    const base = isSingle ? middle : box.y0 + size * (FIELD_ASCENT + at * LINE_HEIGHT);
    const style = { size, isBold: false, isHidden: false, order: 0 };
    const x1 = Math.min(box.x1, box.x0 + line.length * size * CHARACTER_WIDTH);
    const place = { x0: box.x0, x1, base, ...heightOf({ base, size }) };
    return line.trim() ? [{ text: line.trim(), ...place, ...style }] : [];
  });
}
