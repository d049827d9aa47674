import { type Box, median, type Turn, type Word } from "../pdf/geometry";
import { heightOf } from "../pdf/words";

/** What Tesseract read in an image, and how the image lies on its page. */
export interface Reading {
  /** Tab-separated values. */
  tsv: string;
  /** In pixels. */
  width: number;
  height: number;
  /** By how many radians the image was turned clockwise before it was read. */
  skew: number;
  isUpsideDown: boolean;
  /** The rules drawn in it, in pixels. */
  rules: readonly Box[];
}

/** The words of a page, as those of a PDF's. */
export interface RecognizedWords {
  words: Word[];
  /** Words that run upward or downward, upright for themselves. */
  aside: Word[][];
  rules: Box[];
  /** Those that may be wrong. */
  unsure: ReadonlySet<Word>;
}

/** A word in the image, in pixels. */
interface Reported extends Box {
  text: string;
  isSure: boolean;
  /** The number of its line in the image. */
  line: string;
  /** The y of its baseline, and the height of its letters as if all had ascenders. */
  base: number;
  ascent: number;
}

const WORD_LEVEL = "5";
/** What drawings and specks are read as has less. */
const LEAST_CONFIDENCE = 20;
/** The dots that lead from an entry to its number. */
const LEADER = /^[.·…_]+$/;
/** Below it, a word may be wrong. A figure says nothing about itself, so numbers need more. */
const SURE_WORD = 75;
const SURE_NUMBER = 88;
/** Letters below the baseline, and letters as high as capitals. */
const DESCENDER = /[gjpqyQçşţ,;()[\]{}|/\\]/u;
const ASCENDER = /[\p{Lu}\p{Nd}bdfhklßtij()[\]{}|/\\!?&%$£€]/u;
/** Shares of a letter's size. */
const DESCENT = 0.22;
const CAPITAL = 0.72;
const SMALL_LETTER = 0.5;
/** Sizes are measured to about a tenth, so they are rounded to steps from the page's usual one. */
const STEP = 1.16;
/** The size of a page's usual letters, in points, whatever the image's resolution. */
const POINTS = 10;
/** Longer words that are so many times higher than wide run upward or downward. */
const MIN_LETTERS = 3;
const UPRIGHT = 1.5;

/** The words of Tesseract's tab-separated values. */
export function toRecognizedWords(reading: Reading): RecognizedWords {
  const words = reading.tsv.split("\n").flatMap((row) => toReported(row) ?? []);
  const lines = [...Map.groupBy(words, ({ line }) => line).values()];
  const turned = lines.filter(runsUpright);
  const upright = lines.filter((line) => !turned.includes(line));
  const usual = usualSize(upright.length > 0 ? upright : turned, upright.length > 0 ? 0 : 1);
  const scale = POINTS / usual;
  const unsure = new Set<Word>();
  const placed = (part: readonly Reported[][], turn: Turn) => {
    const all = toWords(part, { reading, turn, order: words, usual });
    for (const { word, isSure } of all) {
      if (!isSure) {
        unsure.add(word);
      }
    }
    return all.map(({ word }) => word);
  };
  const byTurn = Map.groupBy(turned, (line) => (runsUpward(line) ? 1 : 3));
  return {
    words: placed(upright, 0),
    aside: [...byTurn].map(([turn, part]) => placed(part, turn)),
    rules: reading.rules.map(({ x0, x1, y0, y1 }) => ({
      ...{ x0: x0 * scale, x1: x1 * scale, y0: y0 * scale, y1: y1 * scale },
    })),
    unsure,
  };
}

/** Where the words are in the image, in pixels. */
export function wordBoxes(tsv: string): Box[] {
  return tsv.split("\n").flatMap((row) => toReported(row) ?? []);
}

/** All of the text, for what doesn't depend on its order. */
export function wordsAsText(tsv: string): string {
  return tsv
    .split("\n")
    .flatMap((row) => toReported(row)?.text ?? [])
    .join(" ");
}

function toReported(row: string): Reported | null {
  const [level, page, block, paragraph, line, , ...fields] = row.split("\t");
  const [left, top, width, height, confidence = 0] = fields.slice(0, 5).map(Number);
  const text = fields.slice(5).join(" ").normalize("NFC").trim();
  if (level !== WORD_LEVEL || !text || LEADER.test(text) || confidence < LEAST_CONFIDENCE) {
    return null;
  }
  const [x0 = 0, y0 = 0] = [left, top];
  const bottom = y0 + (height ?? 0);
  const hasTall = ASCENDER.test(text);
  const above = hasTall ? CAPITAL : SMALL_LETTER;
  const below = DESCENDER.test(text) ? DESCENT : 0;
  const size = (bottom - y0) / (above + below);
  return {
    ...{ text, x0, y0, x1: x0 + (width ?? 0), y1: bottom },
    isSure: confidence >= (/\d/.test(text) ? SURE_NUMBER : SURE_WORD),
    line: [page, block, paragraph, line].join("."),
    base: bottom - below * size,
    ascent: size,
  };
}

function runsUpright(line: readonly Reported[]): boolean {
  const long = line.filter(({ text }) => text.length >= MIN_LETTERS);
  const high = long.filter(({ x0, x1, y0, y1 }) => y1 - y0 > UPRIGHT * (x1 - x0));
  return high.length > long.length / 2;
}

function runsUpward(line: readonly Reported[]): boolean {
  const [first, last] = [line[0], line.at(-1)];
  return first === undefined || last === undefined || first.y0 >= last.y0;
}

interface Placing {
  reading: Reading;
  turn: Turn;
  /** The words of the page in the order in which they were read. */
  order: readonly Reported[];
  /** The size of the page's usual letters, in pixels. */
  usual: number;
}

function usualSize(lines: readonly Reported[][], turn: Turn): number {
  return median(lines.flatMap((line) => line.map(() => sizeOf(line, turn)))) || 1;
}

function toWords(lines: readonly Reported[][], { reading, turn, order, usual }: Placing) {
  const orders = new Map(order.map((word, at) => [word, at]));
  const upright = lines.map((line) => line.map((word) => ({ word, ...turnBox(word, turn) })));
  const sizes = lines.map((line) => sizeOf(line, turn));
  const scale = POINTS / usual;
  return upright.flatMap((line, at) => {
    const size =
      POINTS * STEP ** Math.round(Math.log((sizes[at] || usual) / usual) / Math.log(STEP));
    const base = scale * median(line.map((each) => (turn === 0 ? each.word.base : each.y1)));
    return line.map(({ word, x0, x1 }) => ({
      isSure: word.isSure,
      word: {
        ...{ text: word.text, x0: x0 * scale, x1: x1 * scale, base, size },
        ...heightOf({ base, size }),
        ...{ isBold: false, isHidden: false, order: orders.get(word) ?? 0 },
        place: toPlace(word, reading),
      },
    }));
  });
}

/** A box of the image as it lies once its text is upright. */
function turnBox({ x0, x1, y0, y1 }: Box, turn: Turn): Box {
  switch (turn) {
    case 1:
      return { x0: -y1, x1: -y0, y0: x0, y1: x1 };
    case 3:
      return { x0: y0, x1: y1, y0: -x1, y1: -x0 };
    default:
      return { x0, x1, y0, y1 };
  }
}

/** The usual size of a line's letters, by words with ascenders if it has any. */
function sizeOf(line: readonly Reported[], turn: Turn): number {
  const tall = line.filter(({ text }) => ASCENDER.test(text));
  const measured = tall.length > 0 ? tall : line;
  return median(turn === 0 ? measured.map(({ ascent }) => ascent) : line.map((w) => w.x1 - w.x0));
}

/** Where a word is on its page, which the image may show turned. */
function toPlace({ x0, x1, y0, y1 }: Box, { width, height, skew, isUpsideDown }: Reading) {
  const [x, y] = [(x0 + x1 - width) / 2, (y0 + y1 - height) / 2];
  const [cos, sin] = [Math.cos(skew), Math.sin(skew)];
  const sign = isUpsideDown ? -1 : 1;
  const middle = { x: sign * (x * cos + y * sin), y: sign * (y * cos - x * sin) };
  const [halfWidth, halfHeight] = [(x1 - x0) / 2, (y1 - y0) / 2];
  return {
    x0: (middle.x - halfWidth) / width + 0.5,
    x1: (middle.x + halfWidth) / width + 0.5,
    y0: (middle.y - halfHeight) / height + 0.5,
    y1: (middle.y + halfHeight) / height + 0.5,
  };
}
