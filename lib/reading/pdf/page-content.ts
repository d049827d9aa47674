import type { AnnotationReader, Note } from "./annotations";
import { boundsIn, type Drawing, floats, readDrawing } from "./drawing";
import { drawnBullets } from "./drawn-bullets";
import type { OpenPdf } from "./engine";
import { charsOf, type TextRun } from "./font-maps";
import { type Box, type PageBox, type Turn, toUpright, uprightBox, type Word } from "./geometry";
import { toDisplayed } from "./places";
import { isShifted } from "./shifted-text";
import { SMALLEST_POINTS, StyleReader } from "./style";
import { type Char, heightOf, WordBuilder, withMarksBehind } from "./words";

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
/** The engine's sign for a hyphen at the end of a line. */
const LINE_HYPHEN = "\u0002";
/** Ligatures and the like, which are searched by their letters. */
const PRESENTATION = /[\ufb00-\ufb06]/g;
/** How much of a field's height its letters take, and their largest size. */
const FIELD_SHARE = 0.75;
const MAX_FIELD_POINTS = 12;
/** How far below its top the first baseline of a field stands, in em. */
const FIELD_ASCENT = 0.95;
const LINE_HEIGHT = 1.2;
const CHARACTER_WIDTH = 0.5;
/** Caps the area that large letters, such as a watermark's, count for at a title's. */
const LARGEST_COVERING = 36;

/** Reads a page, with `runs` in place of PDFium's text if they are given; throws what PDFium throws. */
export function readPage(
  pdf: OpenPdf,
  { index, annotations, runs }: { index: number; annotations: AnnotationReader; runs?: TextRun[] },
): PageContent {
  const { api, document } = pdf;
  const page = api.FPDF_LoadPage(document, index);
  if (page === 0) {
    throw new Error("The page could not be loaded.");
  }
  const text = api.FPDFText_LoadPage(page);
  try {
    const box = boxOf(pdf, page);
    const drawing = readDrawing(pdf, page, box);
    const rotation = (api.FPDFPage_GetRotation(page) & 3) as Turn;
    const textPage = { text, box, rotation, drawing };
    const { content, turn } = runs ? placeRuns(pdf, textPage, runs) : readWords(pdf, textPage);
    const typed = annotations(page).flatMap((note) =>
      wordsOfNote(note, uprightBox(box, turn, note.box)).map((word) =>
        withPlace(word, box, { turn, rotation }),
      ),
    );
    const { words } = content;
    const dots = drawing.dots.map((dot) => uprightBox(box, turn, dot));
    return {
      ...content,
      words: [
        ...words,
        ...drawnBullets(words, dots),
        ...typed.map((word) => ({ ...word, order: orderBeside(words, word) })),
      ],
      rules: drawing.rules.map((rule) => uprightBox(box, turn, rule)),
      shades: drawing.shades.map((shade) => uprightBox(box, turn, shade)),
      isUnreadable: isShifted(words),
      isBlank: api.FPDFPage_CountObjects(page) === 0,
      hasScan: drawing.hasScan,
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

interface TextPage {
  text: number;
  box: PageBox;
  /** The page's own, clockwise. */
  rotation: Turn;
  drawing: Drawing;
}

function readWords(pdf: OpenPdf, page: TextPage) {
  const { api } = pdf;
  const { text } = page;
  const styles = new StyleReader(pdf, page.drawing);
  const builder = new WordBuilder();
  const characters = text === 0 ? 0 : api.FPDFText_CountChars(text);
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
  return { turn, content: { ...content, ...counts } };
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
  return { turn, content: { ...content, ...counts } };
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

/** Where a character stands, and how it looks; null outside the page, where nobody sees it. */
function placeChar(
  pdf: OpenPdf,
  { text, box, at, char }: TextPage & { at: number; char: string },
  styles: StyleReader,
): Char | null {
  const { api, scratch } = pdf;
  api.FPDFText_GetLooseCharBox(text, at, scratch);
  const bounds = rectangle(pdf);
  if (isOutside(bounds, box)) {
    return null;
  }
  api.FPDFText_GetCharOrigin(text, at, scratch, scratch + 8);
  const view = pdf.view();
  const origin = [view.getFloat64(scratch, true), view.getFloat64(scratch + 8, true)] as const;
  const style = styles.read(text, at, bounds);
  const { x0, x1 } = uprightBox(box, style.turn, bounds);
  const [, base] = toUpright(box, style.turn, origin);
  return { text: letters(char), x0, x1, base, style };
}

function isOutside(char: PageBox, page: PageBox): boolean {
  return (
    char.right < page.left ||
    char.left > page.right ||
    char.top < page.bottom ||
    char.bottom > page.top
  );
}

/** A rectangle that a function stored in the scratch memory. */
function rectangle(pdf: OpenPdf): PageBox {
  const [left = 0, top = 0, right = 0, bottom = 0] = floats(pdf, 4);
  return { left, top, right, bottom };
}

function letters(char: string): string {
  return char === LINE_HYPHEN ? "-" : char.replace(PRESENTATION, (each) => each.normalize("NFKC"));
}

/** Where the file would have a value: after its label on the same line, or else at the end. */
function orderBeside(words: readonly Word[], value: Word): number {
  const before = words.filter(
    (word) => word.x0 < value.x0 && Math.abs(word.base - value.base) < value.size / 2,
  );
  const label = before.toSorted((a, b) => a.x0 - b.x0).at(-1) ?? words.at(-1);
  return (label?.order ?? 0) + 0.5;
}

/** The lines of a note, each as one word. */
function wordsOfNote({ text }: Note, box: Box): Word[] {
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
