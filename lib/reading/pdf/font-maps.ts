import { fileURLToPath } from "node:url";
import type { TextItem } from "pdfjs-dist/types/src/display/api";
import { type PageBox, type Turn, toUpright } from "./geometry";
import type { Char } from "./words";

/** A run of characters in one style, in the page's own coordinates. */
export interface TextRun {
  text: string;
  /** Where its first baseline begins; in vertical writing, the middle above its first character. */
  origin: readonly [number, number];
  /** How far it reaches in its direction. */
  length: number;
  size: number;
  turn: Turn;
  isVertical: boolean;
}

/** Reads the text of pages by Adobe's maps of Chinese, Japanese and Korean fonts, which PDFium lacks. */
export interface MappedText {
  read(index: number): Promise<TextRun[]>;
}

/** In em: the distance from a character's top to its baseline in vertical writing. */
const VERTICAL_ASCENT = 0.88;
const MAPS = new URL("../../cmaps/", import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs"));

/** Opens a PDF by pdf.js. It is loaded only for the few files whose fonts PDFium can't read. */
export async function openMappedText(bytes: Uint8Array): Promise<MappedText> {
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const document = await getDocument({
    // It takes the buffer away from its owner.
    data: new Uint8Array(bytes),
    cMapUrl: fileURLToPath(MAPS),
    cMapPacked: true,
    verbosity: VerbosityLevel.ERRORS,
  }).promise;
  return {
    async read(index) {
      const page = await document.getPage(index + 1);
      const { items, styles } = await page.getTextContent({ disableNormalization: true });
      page.cleanup();
      return items.flatMap((item) =>
        "str" in item ? [toRun(item, styles[item.fontName]?.vertical === true)] : [],
      );
    },
  };
}

function toRun({ str, transform, width, height }: TextItem, isVertical: boolean): TextRun {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform as number[];
  const quarters = Math.round(Math.atan2(b, a) / (Math.PI / 2));
  return {
    text: str,
    origin: [x, y],
    length: isVertical ? height : width,
    size: Math.hypot(c, d),
    turn: ((quarters + 4) % 4) as Turn,
    isVertical,
  };
}

/** The characters of a run, which share its length evenly; null for a space. */
export function charsOf(run: TextRun, box: PageBox): (Char | null)[] {
  const { size, turn, isVertical } = run;
  const letters = [...run.text];
  const [x, y] = toUpright(box, turn, run.origin);
  const step = run.length / letters.length;
  return letters.map((text, at) => {
    const place = isVertical
      ? { x0: x - size / 2, x1: x + size / 2, base: y + at * step + VERTICAL_ASCENT * size }
      : { x0: x + at * step, x1: x + (at + 1) * step, base: y };
    const style = { size, turn, isBold: false, isHidden: false };
    return /\s/.test(text) ? null : { text, ...place, style };
  });
}
