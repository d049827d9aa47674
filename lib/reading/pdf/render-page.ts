import { type OpenPdf, openPdf } from "./engine";

/** Grey pixels, row by row. */
export interface GreyImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** What rendering needs of PDFium in addition to reading. */
interface Renderer {
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  FPDFBitmap_CreateEx(w: number, h: number, format: number, at: number, stride: number): number;
  FPDFBitmap_FillRect(map: number, x: number, y: number, w: number, h: number, color: number): void;
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    w: number,
    h: number,
    turn: number,
    flags: number,
  ): void;
}

const POINTS_PER_INCH = 72;
const GREY = 1;
const WHITE = 0xffffffff;
/** With annotations, as text typed on a form. */
const FLAGS = 0x01 | 0x08;

/**
 * Renders a page in grey at a resolution, or at a lower one if it has too many pixels. The engine is of its own, so its
 * memory is free afterwards. Throws what PDFium throws, and DocumentErrors.
 */
export async function renderPage(
  bytes: Uint8Array,
  { page, dpi, maxPixels }: { page: number; dpi: number; maxPixels: number },
): Promise<GreyImage> {
  const pdf = await openPdf(bytes);
  const handle = pdf.api.FPDF_LoadPage(pdf.document, page - 1);
  if (handle === 0) {
    throw new Error("The page could not be loaded.");
  }
  const { width, height } = pixelsOf(pdf, handle, { dpi, maxPixels });
  return { width, height, pixels: paint(pdf, handle, { width, height }) };
}

function pixelsOf(
  pdf: OpenPdf,
  page: number,
  { dpi, maxPixels }: { dpi: number; maxPixels: number },
): { width: number; height: number } {
  const { FPDF_GetPageWidthF, FPDF_GetPageHeightF } = pdf.api as unknown as Renderer;
  const points = { width: FPDF_GetPageWidthF(page), height: FPDF_GetPageHeightF(page) };
  const wanted = dpi / POINTS_PER_INCH;
  const scale = Math.min(wanted, Math.sqrt(maxPixels / (points.width * points.height)));
  const side = (length: number) => Math.min(maxPixels, Math.max(1, Math.floor(length * scale)));
  const [width, height] = [side(points.width), side(points.height)];
  return { width, height: Math.max(1, Math.min(height, Math.floor(maxPixels / width))) };
}

function paint(
  { api }: OpenPdf,
  page: number,
  { width, height }: { width: number; height: number },
): Uint8Array {
  const { FPDFBitmap_CreateEx, FPDFBitmap_FillRect, FPDF_RenderPageBitmap } =
    api as unknown as Renderer;
  const size = width * height;
  const at = api.malloc(size);
  const bitmap = at && FPDFBitmap_CreateEx(width, height, GREY, at, width);
  if (!bitmap) {
    throw new Error("The page could not be rendered.");
  }
  FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS);
  return new Uint8Array(api.memory.buffer).slice(at, at + size);
}
