import { type OfficeParserAST, parseOffice } from "officeparser";
import { DocumentError, type DocumentErrorCode } from "../document-error";
import type { OfficeFormat } from "../formats";
import type { Archive } from "../parse/archive";
import { type Block, NO_TITLE, type ParsedFile, paragraph } from "../parse/block";
import type { ReadLimits } from "../parse/read-task";
import { blocksOf } from "./office-blocks";
import { itemLabels, readNumbering } from "./office-lists";
import { withoutDeletions } from "./rtf-deletions";
import { addSpans } from "./rtf-tables";
import { wordSlices } from "./word-slices";
import { withPlainSigns } from "./word-symbols";
import { parseXlsx } from "./xlsx";

/** Our codes for the library's errors. All others mean a damaged file. */
const FAULTS: Record<string, DocumentErrorCode> = {
  PASSWORD_REQUIRED: "password_protected",
  PASSWORD_INCORRECT: "password_protected",
  DOCUMENT_DECRYPTION_FAILED: "password_protected",
  ZIP_SIZE_LIMIT_EXCEEDED: "too_large_expanded",
  ZIP_ENTRY_COUNT_LIMIT_EXCEEDED: "too_complex",
  XML_ELEMENT_LIMIT_EXCEEDED: "too_complex",
  MAX_NESTING_DEPTH_EXCEEDED: "too_complex",
  OUTPUT_TOO_LARGE: "too_complex",
};

/** Warnings about missing text. The library's other warnings don't affect the text. */
const WARNINGS: Record<string, string> = {
  ALT_CHUNK_NOT_READ: "incomplete",
  CONTENT_PART_NOT_READ: "incomplete",
  TABLE_CELL_LIMIT_EXCEEDED: "incomplete",
  REPEATED_CONTENT_LIMIT_EXCEEDED: "incomplete",
};

const SLIDE = /^ppt\/slides\/[^/]+\.xml$/;

interface OfficeFile {
  bytes: Uint8Array;
  format: OfficeFormat;
  archive: Archive | null;
}

/** Parses an office file or an EPUB. Throws DocumentError. */
export async function parseOfficeFile(file: OfficeFile, limits: ReadLimits): Promise<ParsedFile> {
  if (file.format === "xlsx" && file.archive) {
    return finish(file, await parseXlsx(file.bytes, file.archive, limits));
  }
  return finish(file, { ...(await parseSlices(file, limits)), emptyPages: null });
}

/** Long Word files are parsed one slice after the other, because a whole one's tree would take too much memory. */
async function parseSlices(file: OfficeFile, limits: ReadLimits) {
  const bytes = readable(file);
  const labelOf = itemLabels(await readNumbering(file.format, file.bytes));
  const notes = new Set<string>();
  const warnings = new Map<string, number>();
  let blocks: Block[] = [];
  let first: { lines: Block[]; title: string | null; pages: number | null } | null = null;
  for (const slice of file.format === "docx" ? wordSlices(bytes) : [bytes]) {
    const ast = await parse({ ...file, bytes: slice }, limits);
    if (file.format === "rtf") {
      addSpans(ast, bytes);
    }
    blocks = blocks.concat(blocksOf(ast, labelOf, notes));
    first ??= {
      lines: pageLines(ast),
      title: titleOf(ast, blocks),
      pages: pagesOf(ast, file.archive),
    };
    for (const [code, count] of warningsOf(ast)) {
      warnings.set(code, count + (warnings.get(code) ?? 0));
    }
  }
  const { lines = [], title = null, pages = null } = first ?? {};
  return { blocks: [...blocks, ...lines], title, pages, warnings };
}

/** Counts what a parsed file lacks. */
function finish(file: OfficeFile, parsed: ParsedFile): ParsedFile {
  const { blocks, pages, warnings } = parsed;
  const { charts = 0, scripts = 0, entities = 0 } = file.archive ?? {};
  const hiddenMarks =
    file.format === "rtf" ? countHiddenRtf(file.bytes) : (file.archive?.hiddenMarks ?? 0);
  const missed = [
    ["hidden_text", hiddenMarks + (warnings.get("hidden_text") ?? 0)],
    ["charts_left_out", charts],
    ["scripts_left_out", scripts],
    ["entities_left_out", entities],
  ] as const;
  for (const [code, count] of missed.filter(([, each]) => each > 0)) {
    warnings.set(code, count);
  }
  if (blocks.length === 0) {
    throw warnings.has("incomplete")
      ? new DocumentError("damaged_file")
      : new DocumentError("no_extractable_text");
  }
  const filled = new Set(blocks.flatMap(({ page }) => page ?? [])).size;
  const emptyPages = pages === null ? null : Math.max(0, pages - filled);
  const title = NO_TITLE.test(parsed.title ?? "") ? null : parsed.title;
  return {
    ...parsed,
    title,
    emptyPages,
    warnings: emptyPages ? warnings.set("pages_without_text", emptyPages) : warnings,
  };
}

async function parse(
  { archive, bytes, format }: OfficeFile,
  limits: ReadLimits,
): Promise<OfficeParserAST> {
  try {
    return await parseOffice(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
      fileType: format,
      ignoreSlideMasters: true,
      ignoreInternalLinks: true,
      ignorePageGeometry: true,
      // Needed to detect hidden text and, in slides, merged cells.
      includeRawContent: archive?.needsMarkup ?? false,
      decompressionLimits: { maxUncompressedBytes: limits.maxExpandedBytes },
      htmlParserConfig: { preserveAttributes: true },
    });
  } catch (thrown) {
    if (thrown instanceof RangeError || /call stack|string length/i.test(String(thrown))) {
      throw new DocumentError("too_complex");
    }
    const { officeIssue } = thrown as { officeIssue?: { code: string } };
    throw new DocumentError(FAULTS[officeIssue?.code ?? ""] ?? "damaged_file");
  }
}

/** What pages have at their top and bottom, once and as such. */
function pageLines(ast: OfficeParserAST): Block[] {
  const { headers = [], footers = [] } = ast.auxiliary ?? {};
  const linesOf = (name: string, content: OfficeParserAST["content"]) => {
    const texts = blocksOf({ ...ast, content }, () => null).map(({ text }) => text.trim());
    return [...new Set(texts)]
      .filter((text) => /\p{L}{3}/u.test(text))
      .map((text) => paragraph(`[${name}] ${text}`));
  };
  return [...linesOf("page header", headers), ...linesOf("page footer", footers)];
}

/** The file as its parser reads it right. */
function readable({ bytes, format, archive }: OfficeFile): Uint8Array {
  if (format === "rtf") {
    return withPlainRtfSigns(withoutDeletions(bytes));
  }
  return archive?.hasUnreadSigns ? withPlainSigns(bytes) : bytes;
}

function warningsOf(ast: OfficeParserAST): Map<string, number> {
  const codes = ast.warnings.flatMap(({ code }) => WARNINGS[code] ?? []);
  return new Map(codes.map((code) => [code, codes.filter((other) => other === code).length]));
}

function pagesOf({ content, type }: OfficeParserAST, archive: Archive | null): number | null {
  if (type === "odp") {
    return Math.max(
      0,
      ...content.map((node) => (node.type === "slide" ? node.metadata?.slideNumber : 0) ?? 0),
    );
  }
  // The parser leaves out slides without text.
  const slides = archive?.names.filter((name) => SLIDE.test(name)).length ?? 0;
  return type === "pptx" ? slides : null;
}

function titleOf({ metadata, type }: OfficeParserAST, blocks: ParsedFile["blocks"]): string | null {
  const title = metadata.title?.trim() ?? "";
  if (!NO_TITLE.test(title)) {
    return title;
  }
  // The first heading of a workbook is a sheet's name, which says less than the file's.
  const heading = type === "ods" ? null : blocks.find(({ kind }) => kind === "heading");
  return heading?.text ?? null;
}

/** What the parser of RTF doesn't know: spaces and hyphens that don't break, two lines through text; an escaped backslash comes first. */
const SIGN = /\\\\|\\[~_]|\\striked1(?!\d)/g;
const WRITTEN: Record<string, string> = {
  "\\~": "{\\uc1\\u160 ?}",
  "\\_": "{\\uc1\\u45 ?}",
  "\\striked1": "\\strike",
};
/** Begins text that Word hides; `\\v0` ends it. */
const HIDDEN = /\\v(?:1(?!\d)|(?![a-z\d-]))/g;

/** An RTF whose spaces and hyphens that don't break are characters, and whose struck-out text has one line. */
function withPlainRtfSigns(bytes: Uint8Array): Uint8Array {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const plain = rtf.replace(SIGN, (sign) => WRITTEN[sign] ?? sign);
  return plain === rtf ? bytes : Buffer.from(plain, "latin1");
}

/** How often an RTF begins to hide text, which the parser doesn't report. */
function countHiddenRtf(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return file.toString("latin1").match(HIDDEN)?.length ?? 0;
}
