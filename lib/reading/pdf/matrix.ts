import type { OpenPdf } from "./engine";
import type { PageBox } from "./geometry";

export type Matrix = readonly [number, number, number, number, number, number];
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** What an object covers, in the page's coordinates. */
export function boundsIn(pdf: OpenPdf, object: number, matrix: Matrix): PageBox {
  const { api, scratch } = pdf;
  api.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12);
  const [left, bottom, right, top] = floats(pdf, 4);
  const [ax, ay] = apply(matrix, [left ?? 0, bottom ?? 0]);
  const [bx, by] = apply(matrix, [right ?? 0, top ?? 0]);
  return {
    left: Math.min(ax, bx),
    right: Math.max(ax, bx),
    bottom: Math.min(ay, by),
    top: Math.max(ay, by),
  };
}

export function matrixOf(pdf: OpenPdf, object: number): Matrix {
  if (pdf.api.FPDFPageObj_GetMatrix(object, pdf.scratch) === 0) {
    return IDENTITY;
  }
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = floats(pdf, 6);
  return [a, b, c, d, e, f];
}

/** The first floats of the scratch memory. */
export function floats({ view, scratch }: OpenPdf, count: number): number[] {
  const memory = view();
  return Array.from({ length: count }, (_, at) => memory.getFloat32(scratch + at * 4, true));
}

export function apply(
  [a, b, c, d, e, f]: Matrix,
  [x, y]: readonly [number, number],
): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** First `inner`, then `outer`. */
export function multiply(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [g, h, i, j, k, l] = outer;
  return [
    a * g + b * i,
    a * h + b * j,
    c * g + d * i,
    c * h + d * j,
    e * g + f * i + k,
    e * h + f * j + l,
  ];
}

/** A rectangle that a function stored in the scratch memory. */
export function rectangle(pdf: OpenPdf): PageBox {
  const [left = 0, top = 0, right = 0, bottom = 0] = floats(pdf, 4);
  return { left, top, right, bottom };
}
