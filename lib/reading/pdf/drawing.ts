import type { OpenPdf } from "./engine";
import type { PageBox } from "./geometry";
import { layersOf } from "./layers";
import { boundsIn, IDENTITY, type Matrix, matrixOf, multiply } from "./matrix";
import { type Drawing, type PaintedObject, readPath } from "./paths";

const TEXT = 1;
const PATH = 2;
const IMAGE = 3;
const FORM = 5;
/** Bounds on one page's drawing: maps and charts have hundreds of thousands of paths. */
const MAX_OBJECTS = 20_000;
const MAX_DEPTH = 4;
const SCAN_SHARE = 0.5;

function emptyDrawing(): Drawing {
  return {
    ...{
      rules: [],
      strokes: [],
      outlines: [],
      marks: [],
      dark: [],
      shades: [],
      dots: [],
      texts: [],
      covers: [],
    },
    switchedOff: new Set(),
    hasLayers: false,
    hasScan: false,
  };
}

/** Reads the lines and areas that a page draws. */
export function readDrawing(
  pdf: OpenPdf,
  { page, box, layers }: { page: number; box: PageBox; layers: ReadonlySet<string> },
): Drawing {
  const { api } = pdf;
  const drawing = emptyDrawing();
  const area = (box.right - box.left) * (box.top - box.bottom);
  let left = MAX_OBJECTS;
  let pictured = 0;

  function visit(object: number, matrix: Matrix, around: Around): void {
    left -= 1;
    if (object === 0 || left < 0) {
      return;
    }
    const own = layersOf(pdf, object);
    drawing.hasLayers ||= own.length > 0;
    const inner = {
      depth: around.depth + 1,
      isOff: around.isOff || own.some((layer) => layers.has(layer)),
      isOpaque: around.isOpaque && api.FPDFPageObj_HasTransparency(object) === 0,
    };
    const type = api.FPDFPageObj_GetType(object);
    if (type === FORM && around.depth < MAX_DEPTH) {
      visitForm(object, multiply(matrixOf(pdf, object), matrix), inner);
    } else if (inner.isOff) {
      drawing.switchedOff.add(object);
    } else {
      paint(type, { object, matrix, order: MAX_OBJECTS - left, isOpaque: inner.isOpaque });
    }
  }

  function paint(type: number, painted: PaintedObject): void {
    const { object, matrix, order } = painted;
    if (type === PATH) {
      readPath(pdf, painted, drawing);
    } else if (type === IMAGE) {
      const bounds = boundsIn(pdf, object, matrix);
      pictured += sharedArea(bounds, box);
      drawing.dark.push(bounds);
    } else if (type === TEXT) {
      const isBorrowed = api.FPDFFont_GetIsEmbedded(api.FPDFTextObj_GetFont(object)) === 0;
      drawing.texts.push({ object, matrix, isBorrowed, order });
    }
  }

  function visitForm(form: number, matrix: Matrix, around: Around): void {
    const count = Math.min(api.FPDFFormObj_CountObjects(form), left);
    for (let at = 0; at < count; at += 1) {
      visit(api.FPDFFormObj_GetObject(form, at), matrix, around);
    }
  }

  const count = Math.min(api.FPDFPage_CountObjects(page), MAX_OBJECTS);
  for (let at = 0; at < count; at += 1) {
    visit(api.FPDFPage_GetObject(page, at), IDENTITY, { depth: 0, isOff: false, isOpaque: true });
  }
  drawing.hasScan = pictured > area * SCAN_SHARE;
  return drawing;
}

function sharedArea(a: PageBox, b: PageBox): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  return Math.max(0, width) * Math.max(0, height);
}

/** What an object has from the forms that it is part of. */
interface Around {
  depth: number;
  isOff: boolean;
  isOpaque: boolean;
}
