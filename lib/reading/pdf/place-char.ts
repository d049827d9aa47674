import type { OpenPdf } from "./engine";
import { level, type PageBox, type Turn, toUpright, uprightBox } from "./geometry";
import { rectangle } from "./matrix";
import type { Drawing } from "./paths";
import type { Style, StyleReader } from "./style";
import type { Char } from "./words";

/** The engine's sign for a hyphen at the end of a line. */
export const LINE_HYPHEN = "\u0002";
/** Ligatures and the like, which are searched by their letters. */
const PRESENTATION = /[\ufb00-\ufb06]/g;
/** In em: how high a character's box is, and the least that a slanted one is wide. */
const LOOSE_HEIGHT = 1.15;
const LEAST_WIDTH = 0.1;

export interface TextPage {
  text: number;
  box: PageBox;
  /** The page's own, clockwise. */
  rotation: Turn;
  drawing: Drawing;
}

/** Where a character stands, and how it looks; null outside the page, where nobody sees it. */
export function placeChar(
  pdf: OpenPdf,
  { text, box, at, char, drawing }: TextPage & { at: number; char: string },
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
  if (style.isOff) {
    return null;
  }
  const { x0, x1 } = uprightBox(box, style.turn, bounds);
  const cover = isCovered(bounds, style.order, drawing.covers) && { isCovered: true };
  const [x, base] = toUpright(box, style.turn, origin);
  return style.slope === undefined
    ? { text: letters(char), x0, x1, base, ...cover, style }
    : { text: letters(char), ...levelChar([x, base], x1 - x0, style), ...cover, style };
}

/** The place of a slanted character, the width of whose box also has some of its height. */
function levelChar(
  origin: readonly [number, number],
  width: number,
  { slope = 0, size }: Style,
): { x0: number; x1: number; base: number } {
  const [x0, base] = level(origin, slope);
  const own = (width - LOOSE_HEIGHT * size * Math.abs(Math.sin(slope))) / Math.cos(slope);
  return { x0, x1: x0 + Math.max(LEAST_WIDTH * size, own), base };
}

/** Whether an opaque shape was painted over a character later. */
function isCovered(char: PageBox, order: number | undefined, covers: Drawing["covers"]): boolean {
  const [x, y] = [(char.left + char.right) / 2, (char.bottom + char.top) / 2];
  return covers.some(
    (cover) =>
      order !== undefined &&
      cover.order > order &&
      x > cover.left &&
      x < cover.right &&
      y > cover.bottom &&
      y < cover.top,
  );
}

function isOutside(char: PageBox, page: PageBox): boolean {
  return (
    char.right < page.left ||
    char.left > page.right ||
    char.top < page.bottom ||
    char.bottom > page.top
  );
}

export function letters(char: string): string {
  return char === LINE_HYPHEN ? "-" : char.replace(PRESENTATION, (each) => each.normalize("NFKC"));
}
