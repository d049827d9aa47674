import sharp from "sharp";
import { DocumentError, faultOf } from "../document-error";
import { type OpenPdf, openPdf } from "./engine";

/** A page to be drawn as an image. */
export interface PaintMessage {
  /** From 1. */
  page: number;
  /** In pixels. */
  width: number;
}

/** The image, or how many pages there are if there is no such one. */
export type PaintAnswer = { png: Uint8Array } | { pages: number } | ReturnType<typeof faultOf>;

/** Long pages are drawn narrower than asked for. */
const MAX_HEIGHT = 4000;
/** Four bytes a pixel, of which the last is unused. */
const FORMAT_RGBX = 3;
const PIXEL_BYTES = 4;
const WHITE = 0xffffffff;
/** Draws annotations, with red before blue. */
const FLAGS = 0x01 | 0x10;

/** Stays open, because readers turn its pages. */
let open: OpenPdf | null = null;

/** Draws a page of the file, or of the last one if none is given. Returns errors as data: they lose their class on the way. */
export async function paintPage(
  { page, width }: PaintMessage,
  [bytes]: readonly Uint8Array[],
): Promise<PaintAnswer> {
  try {
    if (bytes) {
      open = null;
      open = await openPdf(bytes);
    }
    if (!open) {
      throw new Error("No file is open.");
    }
    return page > open.pages ? { pages: open.pages } : await paint(open, page, width);
  } catch (thrown) {
    // A page that breaks PDFium leaves it in an unknown state.
    open = null;
    const isBroken = thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError;
    return faultOf(isBroken ? new DocumentError("too_complex") : thrown);
  }
}

async function paint(pdf: OpenPdf, number: number, width: number): Promise<PaintAnswer> {
  const page = pdf.api.FPDF_LoadPage(pdf.document, number - 1);
  if (page === 0) {
    return { pages: pdf.pages };
  }
  try {
    const { size, pixels } = draw(pdf, page, width);
    const image = sharp(pixels, { raw: { ...size, channels: PIXEL_BYTES } });
    return { png: await image.removeAlpha().png().toBuffer() };
  } finally {
    pdf.api.FPDF_ClosePage(page);
  }
}

interface Size {
  width: number;
  height: number;
}

function draw({ api }: OpenPdf, page: number, wanted: number): { size: Size; pixels: Uint8Array } {
  const { width, height } = sizeOf(wanted, {
    width: api.FPDF_GetPageWidthF(page),
    height: api.FPDF_GetPageHeightF(page),
  });
  const stride = width * PIXEL_BYTES;
  const at = api.malloc(stride * height);
  const bitmap = at && api.FPDFBitmap_CreateEx(width, height, FORMAT_RGBX, at, stride);
  if (bitmap === 0) {
    throw new RangeError("There is no memory for the page.");
  }
  api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  api.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS);
  const pixels = new Uint8Array(api.memory.buffer).slice(at, at + stride * height);
  api.FPDFBitmap_Destroy(bitmap);
  api.free(at);
  return { size: { width, height }, pixels };
}

function sizeOf(wanted: number, page: Size): Size {
  const scale = Math.min(wanted / page.width, MAX_HEIGHT / page.height);
  const pixels = (points: number) => Math.max(1, Math.round(points * scale));
  return { width: Math.min(wanted, pixels(page.width)), height: pixels(page.height) };
}
