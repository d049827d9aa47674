import { type OpenPdf, readUtf16, SCRATCH_BYTES, writeName } from "./engine";

/** The mark of content that belongs to a layer. */
const LAYER = "OC";
const MOST_MARKS = 20;

/** The layers that an object is on, by their names. */
export function layersOf(pdf: OpenPdf, object: number): string[] {
  const { api } = pdf;
  const count = Math.min(api.FPDFPageObj_CountMarks(object), MOST_MARKS);
  return Array.from({ length: Math.max(0, count) }, (_, at) => api.FPDFPageObj_GetMark(object, at))
    .filter((mark) => nameOf(pdf, mark) === LAYER)
    .map((mark) =>
      readMark(pdf, (buffer, size, written) =>
        api.FPDFPageObjMark_GetParamStringValue(
          mark,
          writeName(pdf, "Name"),
          buffer,
          size,
          written,
        ),
      ),
    );
}

function nameOf(pdf: OpenPdf, mark: number): string {
  return readMark(pdf, (buffer, size, written) =>
    pdf.api.FPDFPageObjMark_GetName(mark, buffer, size, written),
  );
}

/** Reads text of a function that stores its size where `written` points. */
function readMark(
  pdf: OpenPdf,
  fill: (buffer: number, size: number, written: number) => number,
): string {
  const written = pdf.scratch + SCRATCH_BYTES / 2 - 8;
  return readUtf16(pdf, (buffer, size) =>
    fill(buffer, size, written) === 0 ? 0 : pdf.view().getUint32(written, true),
  );
}

/** The names of layers that a document switches off. Only pdf.js tells. */
export async function switchedOffLayers(bytes: Uint8Array): Promise<ReadonlySet<string>> {
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const task = getDocument({
    // It takes the buffer away from its owner.
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const config = await (await task.promise).getOptionalContentConfig();
    const layers = [...(config as Iterable<[string, { name: string; visible: boolean }]>)];
    const names = (isVisible: boolean) =>
      layers.flatMap(([, { name, visible }]) => (visible === isVisible ? [name] : []));
    const shown = new Set(names(true));
    return new Set(names(false).filter((name) => !shown.has(name)));
  } finally {
    await task.destroy();
  }
}
