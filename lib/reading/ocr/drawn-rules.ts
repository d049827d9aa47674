import type { Box } from "../pdf/geometry";
import type { GreyImage } from "../pdf/render-page";

/** Darker pixels are ink. */
const INK = 128;
/** As a share of the image's width: rules are at least so long, and at most so thick. Strokes of letters are shorter. */
const MIN_LENGTH = 0.05;
const MAX_THICKNESS = 0.005;
/** How many pixels of a rule may be missing in a row, and how far its lines may be apart. */
const MAX_HOLE = 2;
/** With more, an image is a picture. */
const MAX_RULES = 3000;
/** Every third pixel is enough to measure ink. */
const SAMPLED = 3;

/** A run of ink along a line of pixels, or along several of them that touch. */
interface Run {
  /** Along the rule, and across it, in pixels; ends are exclusive. */
  start: number;
  end: number;
  first: number;
  last: number;
}

/** The straight rules drawn in an image, such as those of a table, in pixels; none in a picture. */
export function findRules({ width, height, pixels }: GreyImage): Box[] {
  const length = Math.round(width * MIN_LENGTH);
  const thickness = Math.max(3, Math.round(width * MAX_THICKNESS));
  const isThin = ({ first, last }: Run) => last - first < thickness;
  const across = { lines: height, long: width, step: 1, stride: width, length };
  const down = { lines: width, long: height, step: width, stride: 1, length };
  const flat = runsOf(pixels, across).filter(isThin);
  const upright = runsOf(pixels, down).filter(isThin);
  if (flat.length + upright.length > MAX_RULES) {
    return [];
  }
  return [
    ...flat.map(({ start, end, first, last }) => ({ x0: start, x1: end, y0: first, y1: last + 1 })),
    ...upright.map(({ start, end, first, last }) => ({
      ...{ x0: first, x1: last + 1, y0: start, y1: end },
    })),
  ];
}

interface Direction {
  /** How many lines of pixels there are, and how long each is. */
  lines: number;
  long: number;
  /** From a pixel to the next one on its line, and to the one beside it on the next line. */
  step: number;
  stride: number;
  /** Of the shortest rule. */
  length: number;
}

/** Long runs of ink. Those of neighboring lines that overlap are one. */
function runsOf(pixels: Uint8Array, { lines, long, step, stride, length }: Direction): Run[] {
  const done: Run[] = [];
  let open: Run[] = [];
  for (let line = 0; line < lines; line += 1) {
    for (const [start, end] of runsOfLine(pixels, { from: line * stride, long, step, length })) {
      const run = open.find((each) => each.start < end && each.end > start);
      if (run) {
        Object.assign(run, { start: Math.min(run.start, start), end: Math.max(run.end, end) });
        run.last = line;
      } else {
        open.push({ start, end, first: line, last: line });
      }
    }
    done.push(...open.filter(({ last }) => line - last > MAX_HOLE));
    open = open.filter(({ last }) => line - last <= MAX_HOLE);
  }
  return [...done, ...open];
}

/** The start and end of each run along a line of pixels, over holes. */
function runsOfLine(
  pixels: Uint8Array,
  { from, long, step, length }: Pick<Direction, "long" | "step" | "length"> & { from: number },
): [number, number][] {
  const runs: [number, number][] = [];
  // The end of the ink seen last, and where the run began that it ends.
  let end = Number.NEGATIVE_INFINITY;
  let start = end;
  const close = () => {
    if (end - start >= length) {
      runs.push([start, end]);
    }
  };
  for (let at = 0; at < long; at += 1) {
    if ((pixels[from + at * step] ?? 255) < INK) {
      if (at - end > MAX_HOLE) {
        close();
        start = at;
      }
      end = at + 1;
    }
  }
  close();
  return runs;
}

/** The share of an image's ink, sampled, that isn't in any of these boxes or right beside one. */
export function inkOutside({ width, height, pixels }: GreyImage, boxes: readonly Box[]): number {
  const isInside = new Uint8Array(pixels.length);
  for (const { x0, x1, y0, y1 } of boxes) {
    const margin = Math.round((y1 - y0) / 4);
    const [left, right] = [Math.max(0, x0 - margin), Math.min(width, x1 + margin)];
    for (let y = Math.max(0, y0 - margin); y < Math.min(height, y1 + margin); y += 1) {
      isInside.fill(1, y * width + left, y * width + right);
    }
  }
  let [ink, outside] = [0, 0];
  for (let at = 0; at < pixels.length; at += SAMPLED) {
    if ((pixels[at] ?? 255) < INK) {
      ink += 1;
      outside += isInside[at] ? 0 : 1;
    }
  }
  return ink > 0 ? outside / ink : 0;
}

/** The image without the rules, which text recognition mixes up with letters. */
export function withoutRules(image: GreyImage, rules: readonly Box[]): GreyImage {
  // A buffer's slice would be the same memory.
  const pixels = new Uint8Array(image.pixels);
  for (const { x0, x1, y0, y1 } of rules) {
    for (let y = Math.max(0, y0 - 1); y < Math.min(image.height, y1 + 1); y += 1) {
      pixels.fill(255, y * image.width + x0, y * image.width + x1);
    }
  }
  return { ...image, pixels };
}
