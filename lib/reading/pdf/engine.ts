import { readFile } from "node:fs/promises";
import { PDFiumModule } from "@hyzyla/pdfium";
import { DocumentError } from "../document-error";

type Pointer = number;

/** The functions of PDFium that we call, as its headers name them. Pointers are offsets in `memory`. */
interface Pdfium {
  memory: WebAssembly.Memory;
  malloc(size: number): Pointer;
  free(at: Pointer): void;
  FPDF_InitLibrary(): void;
  FPDF_LoadMemDocument64(bytes: Pointer, size: number, password: Pointer): Pointer;
  FPDF_GetLastError(): number;
  FPDF_GetPageCount(document: Pointer): number;
  FPDFDoc_GetAttachmentCount(document: Pointer): number;
  FPDFDoc_GetJavaScriptActionCount(document: Pointer): number;
  FPDF_GetMetaText(document: Pointer, tag: Pointer, buffer: Pointer, size: number): number;
  FPDF_LoadPage(document: Pointer, index: number): Pointer;
  FPDF_ClosePage(page: Pointer): void;
  FPDF_GetPageBoundingBox(page: Pointer, box: Pointer): number;
  FPDFPage_GetRotation(page: Pointer): number;
  FPDF_GetPageWidthF(page: Pointer): number;
  FPDF_GetPageHeightF(page: Pointer): number;
  FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    pixels: Pointer,
    stride: number,
  ): Pointer;
  FPDFBitmap_FillRect(
    bitmap: Pointer,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): void;
  FPDFBitmap_Destroy(bitmap: Pointer): void;
  FPDF_RenderPageBitmap(
    bitmap: Pointer,
    page: Pointer,
    left: number,
    top: number,
    width: number,
    height: number,
    turn: number,
    flags: number,
  ): void;
  FPDFText_LoadPage(page: Pointer): Pointer;
  FPDFText_ClosePage(text: Pointer): void;
  FPDFText_CountChars(text: Pointer): number;
  FPDFText_GetUnicode(text: Pointer, index: number): number;
  FPDFText_IsGenerated(text: Pointer, index: number): number;
  FPDFText_HasUnicodeMapError(text: Pointer, index: number): number;
  FPDFText_GetTextObject(text: Pointer, index: number): Pointer;
  FPDFText_GetCharOrigin(text: Pointer, index: number, x: Pointer, y: Pointer): number;
  FPDFText_GetLooseCharBox(text: Pointer, index: number, box: Pointer): number;
  FPDFText_GetMatrix(text: Pointer, index: number, matrix: Pointer): number;
  FPDFText_GetFontSize(text: Pointer, index: number): number;
  FPDFTextObj_GetFont(object: Pointer): Pointer;
  FPDFFont_GetBaseFontName(font: Pointer, buffer: Pointer, size: number): number;
  FPDFFont_GetFlags(font: Pointer): number;
  FPDFFont_GetIsEmbedded(font: Pointer): number;
  FPDFTextObj_GetTextRenderMode(object: Pointer): number;
  FPDFPage_CountObjects(page: Pointer): number;
  FPDFPage_GetObject(page: Pointer, index: number): Pointer;
  FPDFFormObj_CountObjects(form: Pointer): number;
  FPDFFormObj_GetObject(form: Pointer, index: number): Pointer;
  FPDFPageObj_GetType(object: Pointer): number;
  FPDFPageObj_GetMatrix(object: Pointer, matrix: Pointer): number;
  FPDFPageObj_GetBounds(
    object: Pointer,
    left: Pointer,
    bottom: Pointer,
    right: Pointer,
    top: Pointer,
  ): number;
  FPDFPageObj_HasTransparency(object: Pointer): number;
  FPDFPageObj_GetClipPath(object: Pointer): Pointer;
  FPDFClipPath_CountPaths(clip: Pointer): number;
  FPDFPageObj_CountMarks(object: Pointer): number;
  FPDFPageObj_GetMark(object: Pointer, index: number): Pointer;
  FPDFPageObjMark_GetName(mark: Pointer, buffer: Pointer, size: number, written: Pointer): number;
  FPDFPageObjMark_GetParamStringValue(
    mark: Pointer,
    key: Pointer,
    buffer: Pointer,
    size: number,
    written: Pointer,
  ): number;
  FPDFPageObj_GetFillColor(object: Pointer, r: Pointer, g: Pointer, b: Pointer, a: Pointer): number;
  FPDFPath_GetDrawMode(path: Pointer, fill: Pointer, stroke: Pointer): number;
  FPDFPath_CountSegments(path: Pointer): number;
  FPDFPath_GetPathSegment(path: Pointer, index: number): Pointer;
  FPDFPathSegment_GetPoint(segment: Pointer, x: Pointer, y: Pointer): number;
  FPDFPathSegment_GetType(segment: Pointer): number;
  FPDFPathSegment_GetClose(segment: Pointer): number;
  FPDF_GetFormType(document: Pointer): number;
  FPDFDOC_InitFormFillEnvironment(document: Pointer, info: Pointer): Pointer;
  FPDFPage_GetAnnotCount(page: Pointer): number;
  FPDFPage_GetAnnot(page: Pointer, index: number): Pointer;
  FPDFPage_CloseAnnot(annotation: Pointer): void;
  FPDFAnnot_GetSubtype(annotation: Pointer): number;
  FPDFAnnot_GetFlags(annotation: Pointer): number;
  FPDFAnnot_GetRect(annotation: Pointer, box: Pointer): number;
  FPDFAnnot_GetStringValue(
    annotation: Pointer,
    key: Pointer,
    buffer: Pointer,
    size: number,
  ): number;
  FPDFAnnot_CountAttachmentPoints(annotation: Pointer): number;
  FPDFAnnot_GetAttachmentPoints(annotation: Pointer, index: number, points: Pointer): number;
  FPDFAnnot_GetFormFieldType(form: Pointer, annotation: Pointer): number;
  FPDFAnnot_GetFormFieldFlags(form: Pointer, annotation: Pointer): number;
  FPDFAnnot_GetFormFieldValue(
    form: Pointer,
    annotation: Pointer,
    buffer: Pointer,
    size: number,
  ): number;
}

/** A PDF that is open in an engine of its own, with scratch memory for results. */
export interface OpenPdf {
  api: Pdfium;
  document: Pointer;
  pages: number;
  /** Memory for what a function returns: SCRATCH_BYTES long. */
  scratch: Pointer;
  /** A view of the memory, which moves when it grows. */
  view(): DataView;
}

export const SCRATCH_BYTES = 64 * 1024;
/** What a document may use, its bytes included. Beyond it, PDFium ends with an error. */
const MAX_MEMORY = 224 * 1024 * 1024;
const PASSWORD_ERROR = 4;
const SECURITY_ERROR = 5;

let compiled: Promise<WebAssembly.Module> | undefined;

/** Opens a PDF. Each gets its own instance, so that one that breaks PDFium, or fills its memory, affects no other. */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  const api = await startPdfium();
  api.FPDF_InitLibrary();
  const at = api.malloc(bytes.length);
  const scratch = api.malloc(SCRATCH_BYTES);
  if (at === 0 || scratch === 0) {
    throw new DocumentError("too_complex");
  }
  new Uint8Array(api.memory.buffer).set(bytes, at);
  const document = api.FPDF_LoadMemDocument64(at, bytes.length, 0);
  if (document === 0) {
    const error = api.FPDF_GetLastError();
    const isProtected = error === PASSWORD_ERROR || error === SECURITY_ERROR;
    throw new DocumentError(isProtected ? "password_protected" : "damaged_file");
  }
  let view = new DataView(api.memory.buffer);
  return {
    api,
    document,
    scratch,
    pages: api.FPDF_GetPageCount(document),
    view() {
      if (view.buffer !== api.memory.buffer) {
        view = new DataView(api.memory.buffer);
      }
      return view;
    },
  };
}

async function startPdfium(): Promise<Pdfium> {
  compiled ??= readFile(new URL(import.meta.resolve("@hyzyla/pdfium/pdfium.wasm"))).then((wasm) =>
    WebAssembly.compile(wasm),
  );
  const program = await compiled;
  let exports: unknown;
  const silent = () => undefined;
  const options = {
    print: silent,
    printErr: silent,
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ): WebAssembly.Exports {
      const instance = new WebAssembly.Instance(program, bounded(imports));
      exports = instance.exports;
      done(instance);
      return instance.exports;
    },
  };
  await PDFiumModule(options as unknown as Parameters<typeof PDFiumModule>[0]);
  return exports as Pdfium;
}

/** The imports, with a limit on how far the memory may grow. */
function bounded(imports: WebAssembly.Imports): WebAssembly.Imports {
  const { env = {} } = imports;
  const grow = env.emscripten_resize_heap as (size: number) => boolean;
  const limited = (size: number) => size >>> 0 <= MAX_MEMORY && grow(size);
  return { ...imports, env: { ...env, emscripten_resize_heap: limited } };
}

/** Reads text of a function that fills a buffer with UTF-16 and returns its size in bytes, the final NUL included. */
export function readUtf16(pdf: OpenPdf, fill: (buffer: Pointer, size: number) => number): string {
  const size = Math.min(
    fill(pdf.scratch + SCRATCH_BYTES / 2, SCRATCH_BYTES / 2),
    SCRATCH_BYTES / 2,
  );
  const start = pdf.scratch + SCRATCH_BYTES / 2;
  const end = Math.max(start, start + size - 2);
  return new TextDecoder("utf-16le").decode(pdf.api.memory.buffer.slice(start, end));
}

/** Writes a name, such as a key of a dictionary, into scratch memory. */
export function writeName({ api, scratch }: OpenPdf, name: string): Pointer {
  const bytes = new TextEncoder().encode(`${name}\0`);
  new Uint8Array(api.memory.buffer).set(bytes, scratch);
  return scratch;
}
