import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { chunkBlocks } from "@/lib/reading/chunk";
import { recognizePage } from "@/lib/reading/ocr/recognize-page";
import { readMessage } from "@/lib/reading/parse/read-file";
import type { ReadDocument } from "@/lib/reading/parse/read-task";
import { type ColumnPage, columnPages, isInOrder } from "./documents/columns";
import {
  type Agreement,
  agreementOf,
  characterErrors,
  misreadCharacters,
} from "./documents/compare";
import { cellTable, measureCells } from "./documents/measure-cells";
import { hasItsWords, type QuotedSentence, quoteSentences } from "./documents/quotes";
import { toTable } from "./shared/table";

const FOLDER =
  process.env.FOOTNOTE_DOCUMENTS ??
  path.resolve(process.env.FOOTNOTE_DATA || "../shared/data", "documents");
/** Pages whose text is recognized, of each file; 0 for none. */
const OCR_PAGES = Number(process.env.FOOTNOTE_BENCH_OCR_PAGES ?? 2);
const LIMITS = {
  ...{ maxChunks: 20_000, chunkTokens: 400, overlapTokens: 60 },
  ...{ maxPages: 5000, maxExpandedBytes: 200_000_000 },
};
/** Pages with less text than this say nothing about character errors. */
const MIN_CHARACTERS = 200;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Common}]/u;
const runFile = promisify(execFile);

interface Page extends Agreement {
  file: string;
  page: number;
  half: "tune" | "report";
  isCjk: boolean;
  ms: number;
}

interface PageWithColumns extends ColumnPage {
  file: string;
}

interface RecognizedPage {
  file: string;
  page: number;
  half: Page["half"];
  characters: number;
  /** Shares of its characters: in the order of the text, and word by word in any order. */
  errors: number;
  misread: number;
}

/**
 * How well the text of PDFs agrees with poppler's, page by page, and how well text recognition reads the same pages
 * drawn at 300 dpi, whether pages with columns keep their order, whether quotes of PDFs and presentations have the
 * right page and place, and whether the cells of tables stay under their columns. Files are divided into halves by the hash of their names: one to tune on, one to report.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const files = (await readdir(FOLDER)).filter((name) => /\.(?:pdf|pptx)$/.test(name)).sort();
  const quotes: QuotedSentence[] = [];
  const pages: Page[] = [];
  const columns: PageWithColumns[] = [];
  const recognized: RecognizedPage[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await readFile(path.join(FOLDER, file)));
    const startedAt = performance.now();
    const document = await read(bytes, file);
    const ms = performance.now() - startedAt;
    const texts = document ? pageTexts(document) : [];
    if (document && (document.pages ?? 0) > 1) {
      quotes.push(...(await quoteSentences({ file, place: path.join(FOLDER, file) }, document)));
    }
    if (!file.endsWith(".pdf")) {
      continue;
    }
    const found = await comparePages({ file, texts, ms });
    pages.push(...found);
    const inColumns = await columnPages(path.join(FOLDER, file), texts);
    columns.push(...inColumns.map((page) => ({ ...page, file })));
    // The model is English: other scripts would be misread as a whole.
    const readable = found.filter(
      ({ recall, page }) => recall > 0.9 && !OTHER_SCRIPT.test(texts[page - 1] ?? ""),
    );
    recognized.push(...(await recognizePages({ file, bytes, texts }, readable)));
  }
  const cells = await measureCells(FOLDER, read);
  const tables = [tableOf(pages, recognized), columnTable(columns), quoteTable(quotes)];
  return {
    table: [...tables, cellTable(cells)].join("\n\n"),
    result: { pages, columns, recognized, quotes, cells },
  };
}

async function read(bytes: Uint8Array, name: string): Promise<ReadDocument | null> {
  const task = { name, title: null, mediaType: null };
  const [answer] = await readMessage({ tasks: [task], limits: LIMITS }, [bytes]);
  return answer && "document" in answer ? answer.document : null;
}

function pageTexts({ text, pageStarts }: ReadDocument): string[] {
  return (pageStarts ?? []).map((start, at) => text.slice(start, pageStarts?.[at + 1]));
}

async function comparePages({
  file,
  texts,
  ms,
}: {
  file: string;
  texts: readonly string[];
  ms: number;
}): Promise<Page[]> {
  const args = ["-enc", "UTF-8", path.join(FOLDER, file), "-"];
  const { stdout } = await runFile("pdftotext", args, { maxBuffer: 100_000_000 }).catch(() => ({
    stdout: "",
  }));
  return stdout
    .split("\f")
    .slice(0, -1)
    .flatMap((reference, at) => {
      const agreement = agreementOf(texts[at] ?? "", reference);
      const place = { file, page: at + 1, half: halfOf(file), ms: ms / texts.length };
      return agreement ? [{ ...place, isCjk: CJK.test(reference), ...agreement }] : [];
    });
}

/** Recognizes the first pages that have enough text. The text of the PDF is the reference, so layout doesn't count. */
async function recognizePages(
  {
    file,
    bytes,
    texts,
  }: { file: string; bytes: Uint8Array<ArrayBuffer>; texts: readonly string[] },
  readable: readonly Page[],
): Promise<RecognizedPage[]> {
  const chosen = readable
    .filter(({ page }) => (texts[page - 1] ?? "").length >= MIN_CHARACTERS)
    .slice(0, OCR_PAGES);
  const found: RecognizedPage[] = [];
  for (const { page } of chosen) {
    const reference = texts[page - 1] ?? "";
    const task = { page, languages: ["eng"], language: "eng", data: { folder: null } };
    const answer = await recognizePage({ ...task, format: "pdf" }, [bytes]);
    const text = "page" in answer ? chunkBlocks(answer.page.blocks, LIMITS).text : "";
    const errors = characterErrors(text, reference);
    const misread = misreadCharacters(text, reference);
    found.push({ file, page, half: halfOf(file), characters: reference.length, errors, misread });
  }
  return found;
}

function halfOf(file: string): Page["half"] {
  const [byte = 0] = createHash("sha256").update(file).digest();
  return byte % 2 === 0 ? "tune" : "report";
}

function tableOf(pages: readonly Page[], recognized: readonly RecognizedPage[]): string {
  const rows = (["tune", "report"] as const).flatMap((half) => {
    const own = pages.filter((page) => page.half === half);
    const scans = recognized.filter((page) => page.half === half);
    const latin = own.filter(({ isCjk }) => !isCjk);
    const values = (key: "recall" | "precision" | "order", from: readonly Page[] = own) =>
      from.flatMap((page) => page[key] ?? []);
    return [
      [half, "word recall", own.length, ...shares(values("recall"))],
      [half, "word recall, not CJK", latin.length, ...shares(values("recall", latin))],
      [half, "word precision", own.length, ...shares(values("precision"))],
      [half, "runs of three words", values("order").length, ...shares(values("order"))],
      [half, "character errors of OCR", scans.length, ...errorsOf(scans, "errors")],
      [half, "misread characters of OCR", scans.length, ...errorsOf(scans, "misread")],
    ];
  });
  return toTable(["half", "measure", "pages", "median", "p10 (errors: p90)", "mean"], rows);
}

function columnTable(columns: readonly PageWithColumns[]): string {
  const rows = (["tune", "report"] as const).map((half) => {
    const own = columns.filter(({ file }) => halfOf(file) === half);
    return [
      ...[half, new Set(own.map(({ file }) => file)).size],
      `${own.filter(isInOrder).length} of ${own.length}`,
    ];
  });
  return toTable(["half", "files", "pages with columns in reading order"], rows);
}

function quoteTable(quotes: readonly QuotedSentence[]): string {
  const share = (count: number, of: number) => `${count} of ${of}`;
  const rows = (["tune", "report"] as const).map((half) => {
    const own = quotes.filter(({ file }) => halfOf(file) === half);
    const boxed = own.filter(({ file }) => file.endsWith(".pdf"));
    return [
      ...[half, new Set(own.map(({ file }) => file)).size],
      share(own.filter(({ page, quotedPage }) => page === quotedPage).length, own.length),
      share(boxed.filter(hasItsWords).length, boxed.length),
    ];
  });
  return toTable(["half", "files", "quotes on the right page", "boxes with just its words"], rows);
}

function errorsOf(scans: readonly RecognizedPage[], key: "errors" | "misread"): string[] {
  const values = scans.map((page) => page[key]);
  const characters = scans.reduce((sum, page) => sum + page.characters, 0);
  const errors = scans.reduce((sum, page) => sum + page[key] * page.characters, 0);
  return [quantile(values, 0.5), quantile(values, 0.9), (errors / characters).toFixed(4)];
}

function shares(values: readonly number[]): string[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [quantile(values, 0.5), quantile(values, 0.1), mean.toFixed(4)];
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(4);
}
