import type { OpenPdf } from "./engine";
import type { PageBox } from "./geometry";
import { apply, boundsIn, type Matrix, matrixOf, multiply } from "./matrix";

/** What a page draws besides text, in the page's own coordinates. */
export interface Drawing {
  /** Horizontal and vertical lines. */
  rules: PageBox[];
  /** The same and shorter ones, which may strike words out or be sides of boxes. */
  strokes: PageBox[];
  /** The outlines of small rectangles, and other small shapes. */
  outlines: PageBox[];
  marks: PageBox[];
  /** Filled areas that aren't white, on which white text can be read, and images. */
  dark: PageBox[];
  /** Filled areas that aren't white. */
  shades: PageBox[];
  /** Shapes as small as bullets, and as high as wide. */
  dots: PageBox[];
  texts: TextObject[];
  /** Opaque rectangles, which cover the text painted before them. */
  covers: (PageBox & { order: number })[];
  /** Whether anything is on a layer, and the texts on those that are switched off. */
  hasLayers: boolean;
  switchedOff: Set<number>;
  /** Whether images cover most of the page, as in a scan, which may be one image or several strips. */
  hasScan: boolean;
}

interface TextObject {
  object: number;
  /** From the object's coordinates to the page's. */
  matrix: Matrix;
  /** Whether its font isn't embedded. PDFium leaves out the letters for which it has no font. */
  isBorrowed: boolean;
  /** When it is painted. */
  order: number;
}

/** An object that isn't a form, with when it is painted, and whether nothing below it shows through. */
export interface PaintedObject {
  object: number;
  matrix: Matrix;
  order: number;
  isOpaque: boolean;
}

/** Bounds on one page's drawing: maps and charts have hundreds of thousands of paths. */
const MAX_SEGMENTS = 400;
const MAX_RULES = 3000;
/** In points: the width of a line, and its least length. */
const MAX_WIDTH = 2.5;
const MIN_LENGTH = 8;
/** In points: the size of a dot, and by how much its width and height may differ. */
const MIN_DOT = 1.5;
const MAX_DOT = 7;
const ROUND = 0.5;
const MAX_DOTS = 300;
/** In points: the largest shape that may be part of a form's box, and the shortest side of one. */
const MAX_SMALL = 20;
const MIN_SIDE = 3;
const SIDES = 4;
const MAX_COVERS = 300;
const OPAQUE = 255;
const WHITE = 250;

interface Mode {
  isFilled: boolean;
  isStroked: boolean;
}

function paintOf({ api, scratch, view }: OpenPdf, path: number): Mode {
  api.FPDFPath_GetDrawMode(path, scratch, scratch + 4);
  const memory = view();
  return {
    isFilled: memory.getInt32(scratch, true) !== 0,
    isStroked: memory.getInt32(scratch + 4, true) !== 0,
  };
}

export function readPath(pdf: OpenPdf, painted: PaintedObject, drawing: Drawing): void {
  const { object: path } = painted;
  const bounds = boundsIn(pdf, path, painted.matrix);
  const width = bounds.right - bounds.left;
  const height = bounds.top - bounds.bottom;
  const mode = paintOf(pdf, path);
  if (drawing.rules.length > MAX_RULES || (!mode.isFilled && !mode.isStroked)) {
    return;
  }
  if (drawing.dots.length < MAX_DOTS && isDot(width, height)) {
    drawing.dots.push(bounds);
  }
  if (Math.min(width, height) > MAX_WIDTH) {
    readShape(pdf, { ...painted, bounds, ...mode }, drawing);
    return;
  }
  if (drawing.strokes.length < MAX_RULES) {
    drawing.strokes.push(bounds);
  }
  if (Math.max(width, height) >= MIN_LENGTH) {
    drawing.rules.push(bounds);
  }
}

/** Reads a path that isn't a line. */
function readShape(
  pdf: OpenPdf,
  shape: Mode & PaintedObject & { bounds: PageBox },
  drawing: Drawing,
): void {
  const { object: path, matrix, bounds, isFilled, isStroked } = shape;
  const isShade = isFilled && !isWhite(pdf, path);
  if (isShade) {
    drawing.dark.push(bounds);
    drawing.shades.push(bounds);
  }
  const edges = edgesOf(pdf, path, multiply(matrixOf(pdf, path), matrix));
  if (isStroked) {
    drawing.rules.push(...edges.filter((edge) => lengthOf(edge) >= MIN_LENGTH));
  }
  if (isFilled && edges.length === SIDES && mayCover(pdf, shape, drawing)) {
    drawing.covers.push({ ...bounds, order: shape.order });
  }
  if (lengthOf(bounds) <= MAX_SMALL && (isShade || isStroked)) {
    const isOutline = isStroked && edges.length >= SIDES && !isShade;
    (isOutline ? drawing.outlines : drawing.marks).push(bounds);
  }
}

/** Whether a filled rectangle hides what is below all of it. */
function mayCover(
  pdf: OpenPdf,
  { object: path, isOpaque }: PaintedObject,
  { covers }: Drawing,
): boolean {
  const { api } = pdf;
  if (!isOpaque || covers.length >= MAX_COVERS || (fillColor(pdf, path)?.[3] ?? 0) < OPAQUE) {
    return false;
  }
  const clip = api.FPDFPageObj_GetClipPath(path);
  return clip === 0 || api.FPDFClipPath_CountPaths(clip) <= 0;
}

function isDot(width: number, height: number): boolean {
  return Math.abs(width - height) <= ROUND && width >= MIN_DOT && width <= MAX_DOT;
}

function lengthOf({ left, right, top, bottom }: PageBox): number {
  return Math.max(right - left, top - bottom);
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
    if (isStraight && Math.abs(ax - bx) + Math.abs(ay - by) >= MIN_SIDE) {
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
