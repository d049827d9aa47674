import { passageWordsOf } from "@/lib/text/analyzer";
import { termWeights } from "@/lib/text/bm25";
import { collectSpellable } from "@/lib/text/spelling";
import { type ChunkDraft, chunkBlocks } from "../chunk";
import { lexicalText, resolveTitle } from "../describe";
import { DocumentError, faultOf } from "../document-error";
import { FORMAT_IDS, FORMATS, type Format, findFormat, hasExtension } from "../formats";
import { encodePages, movePacked } from "../page-boxes";
import { freeAllMemory, freeExternalMemory } from "../process/free-memory";
import { type Attachment, type Block, type ParsedFile, parsePlain, toParsedFile } from "./block";
import { csvDelimiter, parseCsv } from "./csv";
import { decodeText } from "./decode";
import { type DetectedFormat, detectFormat, isImage } from "./detect";
import { countSigns, pageWarnings, signsIn, toWarnings } from "./hidden-text";
import { isMarkdown, parseMarkdown } from "./markdown";
import type {
  ReadAnswer,
  ReadChunk,
  ReadDocument,
  ReadLimits,
  ReadMessage,
  ReadTask,
} from "./read-task";
import { hasScans, noTextError, scanOf, withRecognized } from "./scans";
import { withSigns } from "./symbols";

interface BinaryFile {
  bytes: Uint8Array;
  format: Exclude<DetectedFormat["format"], "text">;
  archive: DetectedFormat["archive"];
}

/** Of one email; more are left out. */
const MOST_ATTACHMENTS = 20;
const HEAD_CHARACTERS = 4096;
const BINARY_PARSERS: readonly string[] = ["pdf", "image", "office", "outlook"];
const FRAGMENT =
  /^\s*<(title|style|article|section|main|header|div|p|h[1-6]|table|ul|ol|dl|blockquote|figure|pre)(?:\s[^<>]*)?>/i;

/** The child process's side of the pool. DocumentErrors are sent as data, because an error loses its class on the way. */
export async function readMessage(
  { tasks, limits }: ReadMessage,
  files: readonly Uint8Array[],
): Promise<ReadAnswer[]> {
  const answers: ReadAnswer[] = [];
  for (const [at, task] of tasks.entries()) {
    freeExternalMemory();
    answers.push(await toAnswer({ ...task, bytes: files[at] ?? new Uint8Array() }, limits));
  }
  // Once the answers are sent.
  setImmediate(freeAllMemory);
  return answers;
}

async function toAnswer(task: ReadTask, limits: ReadLimits): Promise<ReadAnswer> {
  try {
    return await readFile(task, limits);
  } catch (thrown) {
    return faultOf(thrown instanceof RangeError ? new DocumentError("too_complex") : thrown);
  }
}

/**
 * Parses a document of any format into its text, chunks and warnings, or finds which of its pages need text recognition
 * first. Throws DocumentError.
 */
async function readFile(
  task: ReadTask,
  limits: ReadLimits,
): Promise<Exclude<ReadAnswer, { fault: unknown }>> {
  const { recognition = null, ocr = "off" } = task;
  const { mediaType, format, file } = await parseFile(task, limits);
  const scan = recognition ? null : scanOf(file, ocr);
  if (scan) {
    return { scan: { ...scan, format: format === "pdf" ? "pdf" : "image" } };
  }
  const parsed = recognition ? withRecognized(file, recognition, ocr) : file;
  const attachments = await takeAttachments(task, file, limits);
  const document = toDocument(task, { mediaType, file: parsed }, limits);
  return { document: { ...document, ...(attachments.length > 0 && { attachments }) } };
}

/**
 * An email's attachments, without the bytes of those that can't be read; none if the task takes none, which is then
 * reported.
 */
async function takeAttachments(
  { takesAttachments = false }: ReadTask,
  { attachments = [], warnings }: ParsedFile,
  limits: ReadLimits,
): Promise<Attachment[]> {
  if (!takesAttachments && attachments.length > 0) {
    warnings.set("attachments_left_out", attachments.length);
  }
  const taken = takesAttachments ? attachments : [];
  return Promise.all(
    taken.map(async ({ name, bytes }, index) => {
      const isReadable = index < MOST_ATTACHMENTS && (await canRead(bytes, limits));
      return { name, bytes: isReadable ? bytes : null };
    }),
  );
}

async function canRead(bytes: Uint8Array | null, limits: ReadLimits): Promise<boolean> {
  if (!bytes?.length) {
    return false;
  }
  return detectFormat(bytes, limits.maxExpandedBytes).then(
    () => true,
    () => false,
  );
}

function toDocument(
  task: ReadTask,
  { mediaType, file }: { mediaType: string; file: ParsedFile },
  limits: ReadLimits,
): ReadDocument {
  // Of the file's parser.
  freeExternalMemory();
  const blocks = searchable(file.blocks.map(storable).filter(({ text }) => text));
  const { text, chunks, pageStarts, ranges, starts } = chunkBlocks(blocks, limits);
  if (chunks.length === 0) {
    throw noTextError(file, task.recognition ?? null);
  }
  const title = resolveTitle({ ...task, own: file.title, text });
  // A title that isn't part of the text is still shown with each passage.
  const foreign = text.includes(title) ? "" : `${title}\n`;
  const signs = countSigns(foreign + text);
  const hidden = blocks.filter(({ isHidden }) => isHidden).length;
  if (hidden > 0) {
    file.warnings.set("hidden_text", hidden + (file.warnings.get("hidden_text") ?? 0));
  }
  const spellable = new Map<string, number>();
  const toReadChunk = ({ isHidden, isRecognized, ...chunk }: ChunkDraft): ReadChunk => {
    const words = passageWordsOf(lexicalText(title, chunk));
    collectSpellable(words.words, spellable);
    const codes = signsIn(foreign + chunk.text, [...signs.keys()]);
    return {
      ...chunk,
      warnings: [
        ...(isHidden ? ["hidden_text"] : []),
        ...(isRecognized ? ["recognized_text"] : []),
        ...codes,
      ],
      ...termWeights(words),
    };
  };
  return {
    mediaType,
    title,
    text,
    pages: file.pages,
    emptyPages: file.emptyPages,
    pageConfidence: file.confidence ?? null,
    pageStarts: file.pages === null ? null : pageStarts,
    ...(task.recognition && { recognized: { ...ranges, pages: task.recognition.pages.length } }),
    ...(hasScans(file, task.ocr) && { ocr: task.ocr }),
    pageBoxes: encodePages(blocks, starts),
    warnings: [
      ...toWarnings(new Map([...file.warnings, ...signs])),
      ...pageWarnings(file.confidence ?? []),
    ],
    chunks: chunks.map(toReadChunk),
    words: spellable,
  };
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function storable({ boxes, head, ...block }: Block): Block {
  const clean = (written: string) => withSigns(written.replaceAll("\0", "").toWellFormed()).trim();
  const text = clean(block.text);
  const lead = block.text.length - block.text.trimStart().length;
  const isMoved = text.length !== block.text.toWellFormed().trim().length;
  return {
    ...block,
    text,
    ...(head !== undefined && { head: clean(head) }),
    ...(boxes && !isMoved && { boxes: lead > 0 ? movePacked(boxes, (at) => at - lead) : boxes }),
  };
}

/** Headings are indexed with the text below them. If there is none, they are the text. */
function searchable(blocks: Block[]): Block[] {
  return blocks.every(({ kind }) => kind === "heading")
    ? blocks.map((block) => ({ ...block, kind: "paragraph", depth: 0 }))
    : blocks;
}

/** Parses a file by the format of its bytes. Its name only distinguishes kinds of text. Throws DocumentError. */
async function parseFile(
  task: ReadTask,
  limits: ReadLimits,
): Promise<{ mediaType: string; format: Format; file: ParsedFile }> {
  const detected = task.mediaType ? null : await detectFormat(task.bytes, limits.maxExpandedBytes);
  if (detected && detected.format !== "text") {
    const { format, archive } = detected;
    return toParsed(format, await parseBinary({ bytes: task.bytes, format, archive }, limits));
  }
  const { text, lost, isUnsure } = decodeText(task.bytes);
  const known = task.mediaType ? findFormat(task.mediaType) : textFormat(task.name, text);
  const format = known ?? "text";
  const file = await parseText(format, task.name, text);
  if (lost > 0) {
    file.warnings.set("invalid_characters", lost);
  }
  if (isUnsure) {
    file.warnings.set("suspect_encoding", 1);
  }
  if (detected && isNamedOtherwise(task.name)) {
    file.warnings.set("misleading_name", 1);
  }
  return toParsed(format, file);
}

/** Whether the name of a text is that of another kind of file, such as a PDF. */
function isNamedOtherwise(name: string | null): boolean {
  const named = FORMAT_IDS.find((each) => hasExtension(name, each));
  return named !== undefined && BINARY_PARSERS.includes(FORMATS[named].parser);
}

function toParsed(format: Format, file: ParsedFile) {
  return { mediaType: FORMATS[format].mediaTypes[0], format, file };
}

/** The parsers are loaded when they are needed, because loading the one of office files takes a second. */
async function parseBinary(
  { bytes, format, archive }: BinaryFile,
  limits: ReadLimits,
): Promise<ParsedFile> {
  if (format === "pdf") {
    return (await import("../pdf/parse-pdf")).parsePdf(bytes, limits);
  }
  if (isImage(format)) {
    return (await import("./image")).parseImage(bytes, limits.maxPages);
  }
  if (format === "email") {
    return (await import("../email/email")).parseEmail(bytes);
  }
  if (format === "outlook") {
    return (await import("../email/outlook")).parseOutlook(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    );
  }
  return (await import("../office/office")).parseOfficeFile({ bytes, format, archive }, limits);
}

function textFormat(name: string | null, text: string): Format {
  if (isHtml(text) || (isHtmlFragment(text) && !isMarkdown(name, text))) {
    return "html";
  }
  if (csvDelimiter(name, text)) {
    return "csv";
  }
  return isMarkdown(name, text) ? "markdown" : "text";
}

async function parseText(format: Format, name: string | null, text: string): Promise<ParsedFile> {
  switch (FORMATS[format].parser) {
    case "html":
      return (await import("./html")).parseHtml(text);
    case "csv":
      return parseCsv(text, csvDelimiter(name, text) ?? ",");
    case "markdown":
      return parseMarkdown(text);
    default:
      return toParsedFile(parsePlain(text));
  }
}

/** Whether a text starts with an element of a page's body, and ends it somewhere. */
function isHtmlFragment(text: string): boolean {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/<!--[\s\S]*?-->/g, "");
  const name = FRAGMENT.exec(head)?.[1];
  return name !== undefined && text.toLowerCase().includes(`</${name.toLowerCase()}>`);
}

/** Whether a text starts as a web page, possibly after comments or an XML declaration. */
function isHtml(text: string): boolean {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/<!--[\s\S]*?-->|<\?xml[^>]*>/g, "");
  return /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i.test(head);
}
