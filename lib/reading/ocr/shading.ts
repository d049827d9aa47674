import type { GreyImage } from "../pdf/render-page";

/** Neither ink nor paper. */
const DARKEST = 40;
const LIGHTEST = 244;
/** In pixels: edges of letters are narrower than this. */
const WIDTH = 12;
const SAME = 4;
/** Every so many pixels are enough. */
const SAMPLED = 5;
const MIN_SHARE = 0.005;

/** Whether part of an image has an even background darker than paper, such as shaded rows of a table. */
export function isShaded({ pixels }: GreyImage): boolean {
  let [count, shaded] = [0, 0];
  for (let at = 0; at + WIDTH < pixels.length; at += SAMPLED) {
    const grey = pixels[at] ?? LIGHTEST;
    count += 1;
    const isGrey = grey > DARKEST && grey < LIGHTEST;
    shaded += isGrey && Math.abs(grey - (pixels[at + WIDTH] ?? 0)) <= SAME ? 1 : 0;
  }
  return shaded > count * MIN_SHARE;
}
