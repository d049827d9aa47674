import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "pdf-lib";
import sharp from "sharp";
import { type GreyImage, renderPage } from "@/lib/reading/pdf/render-page";

/** Scans made in code, for tests: text that is only pixels. */

const MARGIN = 40;
const SIZE = 12;
const PAGE_WIDTH = 420;

/** Lines of text as a scanner at 300 dpi sees them. */
export function scan(lines: readonly string[], dpi = 300): Promise<GreyImage> {
  const height = 2 * MARGIN + lines.length * SIZE * 2;
  const draw = (page: PDFPage, font: PDFFont) => {
    for (const [at, line] of lines.entries()) {
      page.drawText(line, { x: MARGIN, y: height - MARGIN - at * SIZE * 2, size: SIZE, font });
    }
  };
  return scanDrawing(draw, [PAGE_WIDTH, height], dpi);
}

/** A page of this width and height in points, with what is drawn on it, as a scanner sees it. */
export async function scanDrawing(
  draw: (page: PDFPage, font: PDFFont) => void,
  size: [number, number],
  dpi = 300,
): Promise<GreyImage> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  draw(document.addPage(size), font);
  return renderPage(await document.save(), { page: 1, dpi, maxPixels: 10_000_000 });
}

export function toSharp({ width, height, pixels }: GreyImage) {
  return sharp(pixels, { raw: { width, height, channels: 1 } }).withMetadata({ density: 300 });
}

export async function scanPng(lines: readonly string[]): Promise<Buffer> {
  return toSharp(await scan(lines))
    .png()
    .toBuffer();
}

/** A PDF whose pages are images of lines of text, and of none for null: those have the text itself. */
export async function scannedPdf(
  pages: readonly { lines: readonly string[]; isText?: boolean }[],
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const { lines, isText = false } of pages) {
    if (isText) {
      document.addPage([PAGE_WIDTH, 200]).drawText(lines.join("\n"), { x: 40, y: 150, font });
    } else {
      const image = await document.embedPng(await scanPng(lines));
      const size = image.scale(72 / 300);
      document.addPage([size.width, size.height]).drawImage(image, { x: 0, y: 0, ...size });
    }
  }
  return document.save();
}
