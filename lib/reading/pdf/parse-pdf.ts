import { DocumentError } from "../document-error";
import { type Block, NO_TITLE, type ParsedFile } from "../parse/block";
import type { ReadLimits } from "../parse/read-task";
import { freeExternalMemory } from "../process/free-memory";
import { type AnnotationReader, annotationReader } from "./annotations";
import { type PdfBlock, regionBlocks } from "./blocks";
import { pageConfidence } from "./confidence";
import { withWholeTables } from "./continued-tables";
import { type OpenPdf, openPdf, readUtf16, writeName } from "./engine";
import { type MappedText, openMappedText } from "./font-maps";
import { withHeadings, withHyphens } from "./headings";
import { switchedOffLayers } from "./layers";
import { UNSPACED, withTurnedBrackets } from "./lines";
import { type PageContent, readPage } from "./page-content";
import { layOutUpright } from "./page-layout";
import { boxesOf } from "./places";
import { RepeatedLines } from "./repeated-lines";
import { type RemovedLine, runningPatterns, withoutRunning } from "./running-lines";
import { verticalBlocks } from "./vertical";

/** How many pages show what the headers and footers are. Their contents are kept, so that none is read twice. */
const SAMPLED_PAGES = 24;
/** Pages that break PDFium are left out. After so many, the file is damaged or hostile, and the rest is left out. */
const MAX_BROKEN = 5;
/** More than fits into the chunks of a document; the pages after it are left out. */
const MAX_CHARACTERS = 12_000_000;
/** With a larger share of characters that mean nothing, a page's text is garbled. */
const MAX_UNMAPPED = 0.2;
/** A scan may have so much text beside its image, such as a stamp or a page number. */
const STAMP_CHARACTERS = 120;
/** Running heads, stamps and a typed line cover less of a page than its own text does. */
const MARGINAL_SHARE = 0.05;

/** Parses a PDF. Throws DocumentError. */
export async function parsePdf(bytes: Uint8Array, limits: ReadLimits): Promise<ParsedFile> {
  const reader = await PageReader.open(bytes);
  if (reader.pages > limits.maxPages) {
    throw new DocumentError(
      "too_many_pages",
      `The document has ${reader.pages} pages; the limit is ${limits.maxPages}. Split it and upload the parts.`,
    );
  }
  const { blocks, confidence } = await readBlocks(reader);
  const { title, warnings } = reader;
  const scans = reader.scans();
  if (blocks.length === 0 && (scans.length === 0 || reader.isOverloaded())) {
    throw warnings.has("incomplete")
      ? new DocumentError(reader.isOverloaded() ? "too_complex" : "damaged_file")
      : new DocumentError("no_extractable_text");
  }
  const filled = new Set(blocks.map(({ page }) => page)).size;
  const emptyPages = reader.pages - filled;
  if (emptyPages > 0) {
    warnings.set("pages_without_text", emptyPages);
  }
  const heading = blocks.find(({ kind }) => kind === "heading");
  return {
    blocks: blocks.map(toBlock),
    title: NO_TITLE.test(title) ? (heading?.text ?? null) : title,
    pages: reader.pages,
    emptyPages,
    confidence,
    warnings,
    scans,
  };
}

function toBlock({ kind, depth, text, label, page, isHidden, ...block }: PdfBlock): Block {
  const { head, caption, boxes } = block;
  return {
    ...{ kind, depth, text: withTurnedBrackets(text) },
    ...(label !== undefined && { label }),
    ...(page !== undefined && { page }),
    ...(isHidden && { isHidden }),
    ...(head !== undefined && { head }),
    ...(caption !== undefined && { caption }),
    ...(boxes && { boxes }),
  };
}

/** A block of a page, with the places of its words instead of the words, of which a document has millions. */
function placed(block: PdfBlock, page: number): PdfBlock {
  return { ...block, page, words: [], boxes: boxesOf({ ...block, page }) };
}

/** Rows of tables that were put together have words again. */
function placedAgain(block: PdfBlock): PdfBlock {
  return block.words.length > 0 && block.page ? placed(block, block.page) : block;
}

async function readBlocks(
  reader: PageReader,
): Promise<{ blocks: PdfBlock[]; confidence: (number | null)[] }> {
  const sampled = new Map<number, PageContent | null>();
  const stride = Math.max(1, reader.pages / SAMPLED_PAGES);
  for (let at = 0; at < reader.pages; at += stride) {
    const index = Math.floor(at);
    sampled.set(index, await reader.read(index));
  }
  const running = runningPatterns(
    [...sampled].map(([index, page]) => ({ index, words: page?.words ?? [] })),
  );
  const repeated = new RepeatedLines();
  const blocks: PdfBlock[] = [];
  const confidence: (number | null)[] = [];
  for (let index = 0; index < reader.pages; index += 1) {
    const content = sampled.has(index) ? sampled.get(index) : await reader.read(index);
    sampled.delete(index);
    freeExternalMemory();
    const page = content ? layOut(content, running, blocks.length === 0) : null;
    repeated.add(page?.removed ?? [], index + 1);
    confidence.push(page ? page.confidence : 0);
    blocks.push(...(page?.blocks ?? []).map((block) => placed(block, index + 1)));
  }
  const read = withHeadings(withHyphens(withWholeTables(blocks).map(placedAgain)));
  return {
    blocks: [...read, ...repeated.blocksBeside(read)],
    confidence,
  };
}

/** The blocks of a page in reading order, and then those of text in other directions. */
function layOut(
  content: PageContent,
  running: ReadonlyMap<string, boolean>,
  isFirst: boolean,
): { blocks: PdfBlock[]; confidence: number | null; removed: readonly RemovedLine[] } {
  if (content.isUnreadable) {
    return { blocks: [], confidence: 0, removed: [] };
  }
  const { words, removed } = withoutRunning(content.words, running, isFirst);
  const { regions, blocks } = content.isVertical
    ? { regions: [words], blocks: verticalBlocks(words) }
    : layOutUpright(words, content);
  return {
    blocks: [...blocks, ...content.aside.flatMap((turned) => regionBlocks(turned, []))],
    confidence: pageConfidence(content, [...regions, ...content.aside]),
    removed,
  };
}

/** Whether most of a page's text is missing or garbled. */
function isSuspect({ isIncomplete, isUnreadable, unmapped, characters }: PageContent): boolean {
  return isIncomplete || isUnreadable || unmapped > characters * MAX_UNMAPPED;
}

function ideographs({ words, aside }: PageContent): number {
  return [...words, ...aside.flat()].filter(({ text }) => UNSPACED.test(text)).length;
}

/** Whether a page shows something, but has no text, or only text in the margins of a picture. */
function hasNoText({ words, aside, ...page }: PageContent): boolean {
  const characters = [words, ...aside].flat().reduce((sum, { text }) => sum + text.length, 0);
  const isMarginal = page.covered < MARGINAL_SHARE && !page.hasRecognizedText;
  const isScan = page.hasScan && (characters <= STAMP_CHARACTERS || isMarginal);
  return !page.isBlank && (characters === 0 || isScan);
}

function titleOf(pdf: OpenPdf): string {
  const { api, document } = pdf;
  const key = writeName(pdf, "Title");
  return readUtf16(pdf, (buffer, size) => api.FPDF_GetMetaText(document, key, buffer, size)).trim();
}

interface Engine {
  pdf: OpenPdf;
  annotations: AnnotationReader;
}

/** Reads pages, with a new engine after one breaks. */
class PageReader {
  readonly warnings = new Map<string, number>();
  readonly pages: number;
  readonly title: string;
  readonly #bytes: Uint8Array;
  /** Null after a page has broken it. */
  #engine: Engine | null;
  /** The layers that are switched off; null until a page has layers. */
  #layers: ReadonlySet<string> | null = null;
  #mapped: Promise<MappedText | null> | null = null;
  readonly #scans = new Set<number>();
  #broken = 0;
  #characters = 0;

  private constructor(bytes: Uint8Array, pdf: OpenPdf) {
    this.#bytes = bytes;
    this.#engine = { pdf, annotations: annotationReader(pdf) };
    this.pages = pdf.pages;
    this.title = titleOf(pdf);
    const leftOut = {
      embedded_files_left_out: pdf.api.FPDFDoc_GetAttachmentCount(pdf.document),
      scripts_left_out: pdf.api.FPDFDoc_GetJavaScriptActionCount(pdf.document),
    };
    for (const [code, count] of Object.entries(leftOut).filter(([, each]) => each > 0)) {
      this.warnings.set(code, count);
    }
  }

  static async open(bytes: Uint8Array): Promise<PageReader> {
    return new PageReader(bytes, await openPdf(bytes));
  }

  /** Whether pages took more memory or stack than there is. */
  isOverloaded(): boolean {
    return this.#broken > 0;
  }

  /** The pages read so far that show something but have no usable text, from 1. */
  scans(): number[] {
    return [...this.#scans].sort((one, other) => one - other);
  }

  /** Null for a page that can't be read, which is counted. */
  async read(index: number): Promise<PageContent | null> {
    if (this.#broken >= MAX_BROKEN || this.#characters > MAX_CHARACTERS) {
      this.#count("incomplete");
      return null;
    }
    try {
      const content = await this.#readWhole(index);
      this.#count("covered_text", content.leftOut.covered);
      this.#count("layers_left_out", content.leftOut.switchedOff > 0 ? 1 : 0);
      this.#characters += content.characters;
      if (content.isCut) {
        this.#count("incomplete");
      }
      if (isSuspect(content)) {
        this.#count("suspect_encoding");
      }
      if (isSuspect(content) || hasNoText(content)) {
        this.#scans.add(index + 1);
      }
      return content;
    } catch (thrown) {
      this.#count("incomplete");
      if (thrown instanceof WebAssembly.RuntimeError) {
        this.#broken += 1;
        this.#engine = null;
      }
      return null;
    }
  }

  /** A new one only once the memory of a broken one is free. */
  async #reopen(): Promise<Engine> {
    freeExternalMemory();
    const pdf = await openPdf(this.#bytes);
    return { pdf, annotations: annotationReader(pdf) };
  }

  /** Reads a page whose fonts PDFium doesn't know once more, by their maps. */
  async #readWhole(index: number): Promise<PageContent> {
    this.#engine ??= await this.#reopen();
    const { pdf, annotations } = this.#engine;
    const place = { index, annotations, ...(this.#layers && { layers: this.#layers }) };
    const content = readPage(pdf, place);
    if (content.hasLayers && !this.#layers) {
      this.#layers = await switchedOffLayers(this.#bytes).catch(() => new Set<string>());
      return this.#readWhole(index);
    }
    if (!isSuspect(content)) {
      return content;
    }
    this.#mapped ??= openMappedText(this.#bytes).catch(() => null);
    const runs = await (await this.#mapped)?.read(index).catch(() => null);
    const mapped = runs ? readPage(pdf, { ...place, runs }) : content;
    return ideographs(mapped) > ideographs(content) ? mapped : content;
  }

  #count(code: string, count = 1): void {
    if (count > 0) {
      this.warnings.set(code, (this.warnings.get(code) ?? 0) + count);
    }
  }
}
