import type { AnnotationReader } from "./annotations";
import { readDrawing } from "./drawing";
import { withDrawnBoxes } from "./drawn-boxes";
import { drawnBullets } from "./drawn-bullets";
import type { OpenPdf } from "./engine";
import { charsOf, type TextRun } from "./font-maps";
import { type Box, levelBox, type PageBox, type Turn, uprightBox, type Word } from "./geometry";
import { boundsIn, rectangle } from "./matrix";
import type { Drawing } from "./paths";
import { LINE_HYPHEN, letters, placeChar, type TextPage } from "./place-char";
import { toDisplayed } from "./places";
import { isShifted } from "./shifted-text";
import { withStruck } from "./struck-words";
import { SMALLEST_POINTS, StyleReader, skewOf } from "./style";
import { CHARACTER_WIDTH, orderBeside, wordsOfNote } from "./typed-words";
import { WordBuilder, withMarksBehind } from "./words";

/** What a page shows, turned so that most of its text is upright. */
export interface PageContent {
  words: Word[];
  /** Words in other directions, such as a stamp in the margin, each direction upright for itself. */
  aside: Word[][];
  rules: Box[];
  /** Filled areas that aren't white. */
  shades: Box[];
  /** Whether most of its text runs downward, as in Chinese and Japanese. */
  isVertical: boolean;
  height: number;
  /** How many characters it has, and for how many their font doesn't say what they mean. */
  characters: number;
  unmapped: number;
  /** Whether it has more characters than are read. */
  isCut: boolean;
  /** Whether most of its text is missing, because its fonts are neither embedded nor known. */
  isIncomplete: boolean;
  /** Whether its letters stand for others, as only their shapes show. */
  isUnreadable: boolean;
  /** Whether it shows anything, and whether an image covers most of it. */
  isBlank: boolean;
  hasScan: boolean;
  hasLayers: boolean;
  /** Words under shapes painted over them, and objects on layers that are switched off. */
  leftOut: { covered: number; switchedOff: number };
  /** The share of the page that its upright letters cover, and whether most are the invisible ones of a recognized scan. */
  covered: number;
  hasRecognizedText: boolean;
}

/** A page of a book has 3,000, a dense poster 20,000. */
const MAX_CHARACTERS = 40_000;
/** Text objects without a character, of which spaces are some: at least so many, and so many times those with one. */
const MIN_MISSING = 8;
const MISSING_SHARE = 1.5;
/** Characters without meaning, and marks of the engine. */
const NOTHING = /^(?:\p{Cc}|[\ufffe\uffff\ufeff])$/u;
const BREAK = /\s/;
/** The least share of a page's words that shapes leave to be seen. */
const LEAST_SEEN = 0.3;
/** Caps the area that large letters, such as a watermark's, count for at a title's. */
const LARGEST_COVERING = 36;

const NO_LAYERS: ReadonlySet<string> = new Set();

interface PageRequest {
  index: number;
  annotations: AnnotationReader;
  runs?: TextRun[];
  /** The names of layers that are switched off. */
  layers?: ReadonlySet<string>;
}

/** Reads a page, with `runs` in place of PDFium's text if they are given; throws what PDFium throws. */
export function readPage(
  pdf: OpenPdf,
  { index, annotations, runs, layers = NO_LAYERS }: PageRequest,
): PageContent {
  const { api, document } = pdf;
  const page = api.FPDF_LoadPage(document, index);
  if (page === 0) {
    throw new Error("The page could not be loaded.");
  }
  const text = api.FPDFText_LoadPage(page);
  try {
    const box = boxOf(pdf, page);
    const drawing = readDrawing(pdf, { page, box, layers });
    const rotation = (api.FPDFPage_GetRotation(page) & 3) as Turn;
    const textPage = { text, box, rotation, drawing };
    const { content, turn, skew } = runs
      ? placeRuns(pdf, textPage, runs)
      : readWords(pdf, textPage);
    const upright = (each: PageBox) => levelBox(uprightBox(box, turn, each), skew);
    const { notes, struck } = annotations(page);
    const typed = notes.flatMap((note) =>
      wordsOfNote(note, upright(note.box)).map((word) => withPlace(word, box, { turn, rotation })),
    );
    const strokes = drawing.strokes.map(upright);
    const read = withoutCovered(content.words);
    const words = withDrawnBoxes(withStruck(read, { strokes, areas: struck.map(upright) }), {
      outlines: drawing.outlines.map(upright),
      marks: drawing.marks.map(upright),
      strokes,
    });
    const dots = drawing.dots.map(upright);
    return {
      ...content,
      words: [
        ...words,
        ...drawnBullets(words, dots),
        ...typed.map((word) => ({ ...word, order: orderBeside(words, word) })),
      ],
      rules: drawing.rules.map(upright),
      shades: drawing.shades.map(upright),
      isUnreadable: isShifted(words),
      isBlank: api.FPDFPage_CountObjects(page) === 0,
      hasScan: drawing.hasScan,
      hasLayers: drawing.hasLayers,
      leftOut: {
        covered: content.words.length - read.length,
        switchedOff: drawing.switchedOff.size,
      },
      covered: coveredBy(words, box),
      height: turn % 2 === 0 ? box.top - box.bottom : box.right - box.left,
    };
  } finally {
    if (text !== 0) {
      api.FPDFText_ClosePage(text);
    }
    api.FPDF_ClosePage(page);
  }
}

function boxOf(pdf: OpenPdf, page: number): PageBox {
  pdf.api.FPDF_GetPageBoundingBox(page, pdf.scratch);
  return rectangle(pdf);
}

/** Without the words that shapes cover, unless these seem to cover most of the page: a reader would see none of it. */
function withoutCovered(words: readonly Word[]): readonly Word[] {
  const seen = words.filter(({ isCovered = false }) => !isCovered);
  return seen.length < words.length * LEAST_SEEN ? words : seen;
}

/** The share of a page that the letters of words cover. */
function coveredBy(words: readonly Word[], { left, bottom, right, top }: PageBox): number {
  const covered = words.reduce((sum, { text, size }) => {
    const height = Math.min(size, LARGEST_COVERING);
    return sum + text.length * CHARACTER_WIDTH * height * height;
  }, 0);
  return covered / Math.max(1, (right - left) * (top - bottom));
}

/** Adds where a word upright after `turn` is on the page as displayed. */
function withPlace(word: Word, page: PageBox, turns: { turn: Turn; rotation: Turn }): Word {
  return { ...word, place: toDisplayed(page, turns, word) };
}

function readWords(pdf: OpenPdf, page: TextPage) {
  const { api } = pdf;
  const { text } = page;
  const characters = text === 0 ? 0 : api.FPDFText_CountChars(text);
  const skew = skewOf(pdf, text, characters);
  const styles = new StyleReader(pdf, page.drawing, skew);
  const builder = new WordBuilder();
  const chars = Array.from({ length: Math.min(characters, MAX_CHARACTERS) }, (_, at) =>
    codePoint(api.FPDFText_GetUnicode(text, at)),
  );
  let unmapped = 0;
  for (const at of withMarksBehind(chars)) {
    const char = chars[at] ?? "";
    if (BREAK.test(char)) {
      builder.space(char);
    } else if (char === LINE_HYPHEN || !NOTHING.test(char)) {
      builder.add(placeChar(pdf, { ...page, at, char }, styles));
    }
    unmapped += char === "\0" || api.FPDFText_HasUnicodeMapError(text, at) === 1 ? 1 : 0;
  }
  const { turn, ...content } = finishWords(builder, page);
  const isCut = characters > MAX_CHARACTERS;
  const missing = page.drawing.texts.filter(
    ({ object, isBorrowed }) => isBorrowed && !styles.seen.has(object),
  ).length;
  const isIncomplete = missing > MIN_MISSING && missing > styles.seen.size * MISSING_SHARE;
  const hasRecognizedText = styles.unseen.size > styles.seen.size / 2;
  const counts = { characters, unmapped, isCut, isIncomplete, hasRecognizedText };
  return { turn, skew, content: { ...content, ...counts } };
}

/** The words of the most frequent direction, and those of the others, with their places. */
function finishWords(builder: WordBuilder, { box, rotation }: TextPage) {
  const { turns, isVertical } = builder.finish();
  const [[turn, words] = [0 as const, []], ...aside] = turns.map(
    ([turned, list]): [Turn, Word[]] => [
      turned,
      list.map((word) => withPlace(word, box, { turn: turned, rotation })),
    ],
  );
  return { turn, words, aside: aside.map(([, list]) => list), isVertical };
}

/** The words of runs. Text that PDFium finds hidden, in whatever font, is hidden here as well. */
function placeRuns(pdf: OpenPdf, page: TextPage, runs: readonly TextRun[]) {
  const { box, drawing } = page;
  const hidden = hiddenAreas(pdf, drawing);
  const builder = new WordBuilder();
  const visible = runs.filter(({ origin }) => isInside(box, origin, 1));
  const all = visible.flatMap((run) => charsOf(run, box).map((char) => ({ run, char })));
  const characters = all.length;
  for (const { run, char } of all.slice(0, MAX_CHARACTERS)) {
    if (char) {
      // Without the font, the area has no width.
      const isHidden =
        run.size <= SMALLEST_POINTS || hidden.some((area) => isInside(area, run.origin, run.size));
      builder.add({ ...char, text: letters(char.text), style: { ...char.style, isHidden } });
    } else {
      builder.end();
    }
  }
  const { turn, ...content } = finishWords(builder, page);
  const isCut = characters > MAX_CHARACTERS;
  const counts = { characters, unmapped: 0, isCut, isIncomplete: false, hasRecognizedText: false };
  return { turn, skew: 0, content: { ...content, ...counts } };
}

function hiddenAreas(pdf: OpenPdf, drawing: Drawing): PageBox[] {
  const styles = new StyleReader(pdf, drawing);
  return drawing.texts.flatMap(({ object, matrix }) => {
    const bounds = boundsIn(pdf, object, matrix);
    return styles.isInvisible(object, bounds) ? [bounds] : [];
  });
}

function isInside(
  { left, right, top, bottom }: PageBox,
  [x, y]: readonly [number, number],
  slack: number,
): boolean {
  return x >= left - slack && x <= right + slack && y >= bottom - slack && y <= top + slack;
}

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\0";
}
