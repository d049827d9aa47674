import sharp, { type Sharp } from "sharp";
import { DocumentError } from "../document-error";
import type { GreyImage } from "../pdf/render-page";

/** A page of A3 at 600 dpi has 70 million. Dimensions are in a file's header, so nothing larger is ever decoded. */
const MAX_INPUT_PIXELS = 100_000_000;
/** A page of A3 at 300 dpi. A larger image is read at this size. */
export const MAX_PIXELS = 18_000_000;
/** What text is best recognized at. */
export const DPI = 300;
/** Screens and cameras write 72 and the like, whatever they show. */
const MIN_DPI = 150;
const MAX_DPI = 1200;
/** An image without a resolution is enlarged if its longer side has fewer pixels, like a screenshot. */
const SMALL_SIDE = 2000;
const MAX_ENLARGEMENT = 2;

/** Pixels of the longer side of a page image. Most models downscale larger ones. */
const MODEL_SIDE = 2048;
const JPEG_QUALITY = 85;

/** Its pixels are the caller's to bound: a decoder must not keep images for later. */
sharp.cache(false);
sharp.concurrency(1);

/** How many pages an image has. Throws a DocumentError for one that is damaged or too large. */
export async function countImagePages(bytes: Uint8Array, maxPages: number): Promise<number> {
  const { width, height, pages = 1 } = await metadataOf(sharp(bytes, { limitInputPixels: false }));
  if (width * height > MAX_INPUT_PIXELS) {
    throw new DocumentError(
      "too_large_expanded",
      `The image has ${width} × ${height} pixels; the limit is ${MAX_INPUT_PIXELS / 1e6} million. Scale it down and upload it again.`,
    );
  }
  if (pages > maxPages) {
    throw new DocumentError(
      "too_many_pages",
      `The image has ${pages} pages; the limit is ${maxPages}. Split it and upload the parts.`,
    );
  }
  return pages;
}

/** A page of an image, upright and in grey, at a size that text is well recognized at. Throws what sharp throws. */
export async function readPicture(bytes: Uint8Array, page: number): Promise<GreyImage> {
  const { autoOrient: size, density } = await metadataOf(open(bytes, page));
  const scale = scaleOf(size, density);
  const upright = open(bytes, page).autoOrient().flatten({ background: "white" });
  return toGrey(scale === 1 ? upright : upright.resize({ width: Math.ceil(size.width * scale) }));
}

function scaleOf({ width, height }: { width: number; height: number }, density = 0): number {
  const isKnown = density >= MIN_DPI && density <= MAX_DPI;
  const enlarged = Math.max(width, height) < SMALL_SIDE ? MAX_ENLARGEMENT : 1;
  const wanted = isKnown ? Math.min(DPI / density, MAX_ENLARGEMENT) : enlarged;
  return Math.min(wanted, Math.sqrt(MAX_PIXELS / (width * height)));
}

export function upsideDown({ width, height, pixels }: GreyImage): GreyImage {
  return { width, height, pixels: pixels.toReversed() };
}

/** An image as a vision model gets it. */
export async function toJpeg({ width, height, pixels }: GreyImage): Promise<Uint8Array> {
  const image = sharp(pixels, { raw: { width, height, channels: 1 } });
  const side = { width: MODEL_SIDE, height: MODEL_SIDE };
  return new Uint8Array(
    await image
      .resize({ ...side, fit: "inside", withoutEnlargement: true })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer(),
  );
}

async function toGrey(image: Sharp): Promise<GreyImage> {
  const { data, info } = await image
    .greyscale()
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

function open(bytes: Uint8Array, page: number): Sharp {
  return sharp(bytes, {
    page: page - 1,
    limitInputPixels: MAX_INPUT_PIXELS,
    failOn: "error",
    sequentialRead: true,
  });
}

async function metadataOf(image: Sharp) {
  try {
    return await image.metadata();
  } catch {
    throw new DocumentError("damaged_file");
  }
}
