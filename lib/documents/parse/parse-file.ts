import { type ParsedFile, toParsedFile } from "./block";
import { csvDelimiter, parseCsv } from "./csv";
import { decodeText } from "./decode";
import { detectFormat } from "./detect";
import { isMarkdown, parseMarkdown } from "./markdown";
import { parsePlain } from "./plain";
import type { ReadLimits, ReadTask } from "./pool";

export interface TypedFile {
  mediaType: string;
  file: ParsedFile;
}

const HEAD_CHARACTERS = 4096;

const MEDIA_TYPES = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  odt: "application/vnd.oasis.opendocument.text",
  epub: "application/epub+zip",
};

/** Reads a file as what its bytes are; its name decides only between kinds of text. Throws DocumentError. */
export async function parseFile(task: ReadTask, limits: ReadLimits): Promise<TypedFile> {
  if (task.mediaType) {
    return parseText(task);
  }
  const { format, archive } = await detectFormat(task.bytes, limits.maxExpandedBytes);
  if (format === "text") {
    return parseText(task);
  }
  // A second of loading that a worker for plain text never needs.
  const { parseOfficeFile } = await import("./office");
  const file = await parseOfficeFile({ bytes: task.bytes, format, archive }, limits);
  return { mediaType: MEDIA_TYPES[format], file };
}

async function parseText({ bytes, name, mediaType }: ReadTask): Promise<TypedFile> {
  const { text, lost } = decodeText(bytes);
  const { file, ...typed } =
    !mediaType && isHtml(text) ? await webPage(text) : fileOfText(name, text, mediaType);
  if (lost > 0) {
    file.warnings.set("invalid_characters", lost);
  }
  return { ...typed, file };
}

function fileOfText(name: string | null, text: string, known: string | null): TypedFile {
  const delimiter = known ? null : csvDelimiter(name, text);
  if (delimiter) {
    const { blocks, ragged } = parseCsv(text, delimiter);
    const file = toParsedFile(blocks);
    return {
      mediaType: "text/csv",
      file: ragged ? withWarning(file, "ragged_rows", ragged) : file,
    };
  }
  if ((known ?? (isMarkdown(name, text) && "text/markdown")) === "text/markdown") {
    return { mediaType: "text/markdown", file: parseMarkdown(text) };
  }
  return { mediaType: "text/plain", file: toParsedFile(parsePlain(text)) };
}

/** Whether a text begins as a web page, be it after comments or an XML declaration. */
function isHtml(text: string): boolean {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/<!--[\s\S]*?-->|<\?xml[^>]*>/g, "");
  return /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i.test(head);
}

async function webPage(text: string): Promise<TypedFile> {
  const { parseHtml } = await import("./html");
  return { mediaType: "text/html", file: parseHtml(text) };
}

function withWarning(file: ParsedFile, code: string, count: number): ParsedFile {
  return { ...file, warnings: new Map(file.warnings).set(code, count) };
}
