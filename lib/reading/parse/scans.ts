import { DocumentError, type DocumentErrorCode } from "../document-error";
import type { OcrMode } from "../ocr/ocr-mode";
import type { RecognizedPage } from "../ocr/recognized-page";
import { writtenBlocks } from "../ocr/written-page";
import type { Block, ParsedFile } from "./block";

/** What text recognition has made of a document's pages. */
export interface Recognition {
  pages: readonly RecognizedPage[];
  /** Pages that were to be recognized but weren't: at the limits on pages and time, or because of their images. */
  leftOut: number;
  /** Why the first of them couldn't be read, if one couldn't. */
  fault: DocumentErrorCode | null;
}

/** Pages whose text has to be recognized in their images. */
export interface Scan {
  pages: number[];
  format: "pdf" | "image";
}

/** A page's text with at least this confidence stays if recognition finds hardly more letters, as in a picture behind text. */
const TRUSTED = 0.8;
const HARDLY_MORE = 1.25;

const NOT_ASKED =
  "The document has pages but no text, like a scan. Upload it again with 'ocr' set to 'auto', for text recognition (OCR).";
const NOTHING_FOUND =
  "Text recognition found no text in the document's images. Upload a document that has text, or sharper images.";

/** The pages whose text the upload wants recognized; null if there are none. */
export function scanOf(file: ParsedFile, mode: OcrMode): Omit<Scan, "format"> | null {
  const all = Array.from({ length: file.pages ?? 0 }, (_, index) => index + 1);
  const pages = mode === "off" || !file.scans ? [] : mode === "force" ? all : file.scans;
  return pages.length > 0 ? { pages } : null;
}

/** Whether another value of `ocr` would have read the file otherwise. */
export function hasScans({ scans }: ParsedFile, mode: OcrMode = "off"): boolean {
  return scans !== undefined && (mode === "force" || scans.length > 0);
}

/** Why a document without any text fails. */
export function noTextError({ scans = [] }: ParsedFile, recognition: Recognition | null) {
  if (recognition?.fault && recognition.pages.length === 0) {
    return new DocumentError(recognition.fault);
  }
  const reason = recognition ? NOTHING_FOUND : scans.length > 0 ? NOT_ASKED : undefined;
  return new DocumentError("no_extractable_text", reason);
}

/** A file with recognized text in place of what its pages had, unless that is as much. */
export function withRecognized(
  file: ParsedFile,
  { pages, leftOut }: Recognition,
  mode: OcrMode = "auto",
): ParsedFile {
  const found = pages
    .map(asWritten)
    .filter((page) => page.blocks.length > 0 && (mode === "force" || !isKnown(file, page)));
  const replaced = new Set(found.map(({ page }) => page));
  const blocks = [
    ...file.blocks.filter(({ page }) => page === undefined || !replaced.has(page)),
    ...found.flatMap((page) => page.blocks),
  ].sort((one, other) => (one.page ?? 0) - (other.page ?? 0));
  const filled = new Set(blocks.map(({ page }) => page)).size;
  const emptyPages = (file.pages ?? 0) - filled;
  const counts = [
    ["pages_without_text", emptyPages - leftOut],
    ["pages_not_recognized", leftOut],
    ["recognized_text", found.length],
    ["uncertain_text", blocks.reduce((sum, { uncertain = [] }) => sum + uncertain.length / 2, 0)],
  ] as const;
  const known = [...file.warnings].filter(([code]) => code !== "pages_without_text");
  const warnings = new Map([...known, ...counts.filter(([, count]) => count > 0)]);
  const confidence = file.confidence?.map((each, at) => (replaced.has(at + 1) ? null : each));
  return { ...file, blocks, emptyPages, warnings, ...(confidence && { confidence }) };
}

/** A page as a vision model read it, if one did. */
function asWritten(page: RecognizedPage): RecognizedPage {
  return page.written === undefined ? page : { ...page, blocks: writtenBlocks(page) };
}

/** Whether a page's own text can be trusted and is about all that recognition found. */
function isKnown({ blocks, confidence }: ParsedFile, { page, blocks: found }: RecognizedPage) {
  const own = lettersIn(blocks.filter((block) => block.page === page));
  const isTrusted = (confidence?.[page - 1] ?? 0) >= TRUSTED;
  return isTrusted && own > 0 && lettersIn(found) <= own * HARDLY_MORE;
}

function lettersIn(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}
