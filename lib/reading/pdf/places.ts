import { STRUCK_MARK } from "@/lib/text/unasserted";
import { movePacked, type PackedBoxes, type PageRectangle, packBoxes } from "../page-boxes";
import { type Box, level, type PageBox, type Turn, toUpright, type Word } from "./geometry";

/** How far ahead a word is looked for when the text before it isn't made of words: a list's number, say. */
const MAX_AHEAD = 200;
/** Bullets and marks of hyphens may stand between two words. */
const MARKS = 3;
const MIN_AHEAD = 4;
const SPACE = /\s/;
/** What comes before the words of a listing. */
const FENCE = /^`{3,}\n/;
const HYPHEN = /[-\u00ad\u2010]$/u;

/** A box of text turned by `turn`, on the page as it is displayed after its own rotation, from 0 to 1. */
export function toDisplayed(
  page: PageBox,
  { turn, rotation }: { turn: Turn; rotation: Turn },
  { x0, x1, y0, y1, slope = 0 }: Box & Pick<Word, "slope">,
): PageRectangle {
  const corners = [[x0, y0] as const, [x1, y0] as const, [x0, y1] as const, [x1, y1] as const].map(
    (corner) => toUpright(page, rotation, fromUpright(page, turn, level(corner, -slope))),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const sides = [page.right - page.left, page.top - page.bottom] as const;
  const [width, height] = rotation % 2 === 0 ? sides : [sides[1], sides[0]];
  return {
    x0: Math.min(...xs) / width,
    y0: Math.min(...ys) / height,
    x1: Math.max(...xs) / width,
    y1: Math.max(...ys) / height,
  };
}

/** The inverse of `toUpright`. */
function fromUpright(
  { left, bottom, right, top }: PageBox,
  turn: Turn,
  [x, y]: readonly [number, number],
): [number, number] {
  switch (turn) {
    case 0:
      return [left + x, top - y];
    case 1:
      return [left + y, bottom + x];
    case 2:
      return [right - x, bottom + y];
    default:
      return [right - y, top - x];
  }
}

interface PlacedText {
  kind: string;
  text: string;
  words: readonly Word[];
  page: number;
}

/** Where the words of a block are. A table's row is quoted as a whole, so each of its words belongs to all of its text. */
export function boxesOf({ page, ...block }: PlacedText): PackedBoxes {
  const ranges = rangesOf(block);
  const { words } = block;
  return packBoxes(
    words.flatMap(({ place }, index) => {
      const range = ranges[index];
      return place && range ? [{ ...range, page, ...place }] : [];
    }),
  );
}

/** The range of each word in its block's text; null for one that isn't in it. */
export function rangesOf({ kind, text, words }: Omit<PlacedText, "page">) {
  return kind === "row" ? words.map(() => ({ start: 0, end: text.length })) : align(text, words);
}

/** The range of each word in a text that was made of them, in this order; null for one that isn't in it. */
function align(text: string, words: readonly Word[]): ({ start: number; end: number } | null)[] {
  let cursor = FENCE.exec(text)?.[0].length ?? 0;
  return words.map((word) => {
    while (SPACE.test(text.charAt(cursor)) || text.startsWith(STRUCK_MARK, cursor)) {
      cursor += text.startsWith(STRUCK_MARK, cursor) ? STRUCK_MARK.length : 1;
    }
    const ahead = text.slice(cursor, cursor + MAX_AHEAD + word.text.length);
    const spelled = [word.text, word.text.replace(HYPHEN, "")].filter(Boolean);
    const found = spelled.find((each) => isNext(ahead, each));
    if (found === undefined) {
      return null;
    }
    const start = cursor + ahead.indexOf(found);
    cursor = start + found.length;
    return { start, end: cursor };
  });
}

/** Whether a word comes next. Further ahead, a short one could be another one of the same letters. */
function isNext(ahead: string, word: string): boolean {
  const at = ahead.indexOf(word);
  return at >= 0 && (at <= MARKS || word.length >= MIN_AHEAD);
}

/** The boxes of a text after some of its marks `mark` became hyphens, and the others nothing. */
export function withoutMarks(
  packed: PackedBoxes,
  { before, after, mark }: { before: string; after: string; mark: string },
): PackedBoxes {
  if (!before.includes(mark)) {
    return packed;
  }
  const gone: number[] = [];
  for (let at = before.indexOf(mark); at >= 0; at = before.indexOf(mark, at + 1)) {
    if (after.charAt(at - gone.length) !== "-") {
      gone.push(at);
    }
  }
  return movePacked(packed, (place) => place - gone.filter((at) => at < place).length);
}
