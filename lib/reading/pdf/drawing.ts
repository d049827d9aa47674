import type { OpenPdf } from "./engine";
import type { PageBox } from "./geometry";

/** What a page draws besides text, in the page's own coordinates. */
export interface Drawing {
  /** Horizontal and vertical lines. */
  rules: PageBox[];
  /** Filled areas that aren't white, on which white text can be read, and images. */
  dark: PageBox[];
  /** Filled areas that aren't white. */
  shades: PageBox[];
  /** Shapes as small as bullets, and as high as wide. */
  dots: PageBox[];
  texts: TextObject[];
  /** Whether images cover most of the page, as in a scan, which may be one image or several strips. */
  hasScan: boolean;
}

interface TextObject {
  object: number;
  /** From the object's coordinates to the page's. */
  matrix: Matrix;
  /** Whether its font isn't embedded. PDFium leaves out the letters for which it has no font. */
  isBorrowed: boolean;
}

const TEXT = 1;
const PATH = 2;
const IMAGE = 3;
const FORM = 5;
/** Bounds on one page's drawing: maps and charts have hundreds of thousands of paths. */
const MAX_OBJECTS = 20_000;
const MAX_SEGMENTS = 400;
const MAX_RULES = 3000;
const MAX_DEPTH = 4;
/** In points: the width of a line, and its least length. */
const MAX_WIDTH = 2.5;
const MIN_LENGTH = 8;
/** In points: the size of a dot, and by how much its width and height may differ. */
const MIN_DOT = 1.5;
const MAX_DOT = 7;
const ROUND = 0.5;
const MAX_DOTS = 300;
const SCAN_SHARE = 0.5;
const WHITE = 250;

type Matrix = readonly [number, number, number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Reads the lines and areas that a page draws. */
export function readDrawing(pdf: OpenPdf, page: number, box: PageBox): Drawing {
  const { api } = pdf;
  const drawing: Drawing = { rules: [], dark: [], shades: [], dots: [], texts: [], hasScan: false };
  const area = (box.right - box.left) * (box.top - box.bottom);
  let left = MAX_OBJECTS;
  let pictured = 0;

  function visit(object: number, matrix: Matrix, depth: number): void {
    left -= 1;
    if (object === 0 || left < 0) {
      return;
    }
    const type = api.FPDFPageObj_GetType(object);
    if (type === PATH) {
      readPath(pdf, { path: object, matrix }, drawing);
    } else if (type === IMAGE) {
      const bounds = boundsIn(pdf, object, matrix);
      pictured += sharedArea(bounds, box);
      drawing.dark.push(bounds);
    } else if (type === TEXT) {
      const isBorrowed = api.FPDFFont_GetIsEmbedded(api.FPDFTextObj_GetFont(object)) === 0;
      drawing.texts.push({ object, matrix, isBorrowed });
    } else if (type === FORM && depth < MAX_DEPTH) {
      visitForm(object, multiply(matrixOf(pdf, object), matrix), depth + 1);
    }
  }

  function visitForm(form: number, matrix: Matrix, depth: number): void {
    const count = Math.min(api.FPDFFormObj_CountObjects(form), left);
    for (let at = 0; at < count; at += 1) {
      visit(api.FPDFFormObj_GetObject(form, at), matrix, depth);
    }
  }

  const count = Math.min(api.FPDFPage_CountObjects(page), MAX_OBJECTS);
  for (let at = 0; at < count; at += 1) {
    visit(api.FPDFPage_GetObject(page, at), IDENTITY, 0);
  }
  drawing.hasScan = pictured > area * SCAN_SHARE;
  return drawing;
}

function sharedArea(a: PageBox, b: PageBox): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  return Math.max(0, width) * Math.max(0, height);
}

function readPath(
  pdf: OpenPdf,
  { path, matrix }: { path: number; matrix: Matrix },
  drawing: Drawing,
): void {
  const { api, scratch } = pdf;
  const bounds = boundsIn(pdf, path, matrix);
  const width = bounds.right - bounds.left;
  const height = bounds.top - bounds.bottom;
  api.FPDFPath_GetDrawMode(path, scratch, scratch + 4);
  const isFilled = pdf.view().getInt32(scratch, true) !== 0;
  const isStroked = pdf.view().getInt32(scratch + 4, true) !== 0;
  if (drawing.rules.length > MAX_RULES || (!isFilled && !isStroked)) {
    return;
  }
  const isDot = Math.abs(width - height) <= ROUND && width >= MIN_DOT && width <= MAX_DOT;
  if (isDot && drawing.dots.length < MAX_DOTS) {
    drawing.dots.push(bounds);
  }
  if (Math.min(width, height) <= MAX_WIDTH) {
    if (Math.max(width, height) >= MIN_LENGTH) {
      drawing.rules.push(bounds);
    }
    return;
  }
  if (isFilled && !isWhite(pdf, path)) {
    drawing.dark.push(bounds);
    drawing.shades.push(bounds);
  }
  if (isStroked) {
    drawing.rules.push(...edgesOf(pdf, path, multiply(matrixOf(pdf, path), matrix)));
  }
}

/** The horizontal and vertical segments of a path, such as the four sides of a rectangle. */
function edgesOf(pdf: OpenPdf, path: number, matrix: Matrix): PageBox[] {
  const { api, scratch } = pdf;
  const edges: PageBox[] = [];
  const count = Math.min(api.FPDFPath_CountSegments(path), MAX_SEGMENTS);
  let start: readonly [number, number] = [0, 0];
  let last = start;
  const draw = (point: readonly [number, number]) => {
    const [[ax, ay], [bx, by]] = [last, point];
    const isStraight = Math.min(Math.abs(ax - bx), Math.abs(ay - by)) <= 1;
    if (isStraight && Math.abs(ax - bx) + Math.abs(ay - by) >= MIN_LENGTH) {
      const [left, right] = ax < bx ? [ax, bx] : [bx, ax];
      const [bottom, top] = ay < by ? [ay, by] : [by, ay];
      edges.push({ left, right, bottom, top });
    }
  };
  for (let at = 0; at < count; at += 1) {
    const segment = api.FPDFPath_GetPathSegment(path, at);
    api.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
    const view = pdf.view();
    const x = view.getFloat32(scratch, true);
    const point = apply(matrix, [x, view.getFloat32(scratch + 4, true)]);
    if (api.FPDFPathSegment_GetType(segment) === MOVE) {
      start = point;
    } else {
      draw(point);
    }
    last = point;
    if (api.FPDFPathSegment_GetClose(segment) !== 0) {
      draw(start);
    }
  }
  return edges;
}
const MOVE = 2;

function isWhite(pdf: OpenPdf, object: number): boolean {
  const color = fillColor(pdf, object);
  return color === null || Math.min(...color.slice(0, 3)) >= WHITE;
}

/** Red, green, blue and opacity from 0 to 255; null for a pattern. */
export function fillColor({ api, scratch, view }: OpenPdf, object: number): number[] | null {
  const at = [scratch, scratch + 4, scratch + 8, scratch + 12] as const;
  return api.FPDFPageObj_GetFillColor(object, ...at) === 0
    ? null
    : at.map((each) => view().getUint32(each, true));
}

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

function matrixOf(pdf: OpenPdf, object: number): Matrix {
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

function apply([a, b, c, d, e, f]: Matrix, [x, y]: readonly [number, number]): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** First `inner`, then `outer`. */
function multiply(inner: Matrix, outer: Matrix): Matrix {
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
