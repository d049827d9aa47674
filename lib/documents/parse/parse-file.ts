import { FORMATS, type Format, findFormat } from "../formats";
import { type ParsedFile, parsePlain, toParsedFile } from "./block";
import { csvDelimiter, parseCsv } from "./csv";
import { decodeText } from "./decode";
import { detectFormat } from "./detect";
import { isMarkdown, parseMarkdown } from "./markdown";
import type { ReadLimits, ReadTask } from "./pool";

export interface TypedFile {
  mediaType: string;
  file: ParsedFile;
}

const HEAD_CHARACTERS = 4096;

/** Parses a file by the format of its bytes. Its name only distinguishes kinds of text. Throws DocumentError. */
export async function parseFile(task: ReadTask, limits: ReadLimits): Promise<TypedFile> {
  const detected = task.mediaType ? null : await detectFormat(task.bytes, limits.maxExpandedBytes);
  if (detected && detected.format !== "text") {
    const { format, archive } = detected;
    // Takes a second to load, and text doesn't need it.
    const { parseOfficeFile } = await import("./office");
    const file = await parseOfficeFile({ bytes: task.bytes, format, archive }, limits);
    return { mediaType: FORMATS[format].mediaTypes[0], file };
  }
  const { text, lost } = decodeText(task.bytes);
  const format = task.mediaType ? findFormat(task.mediaType) : textFormat(task.name, text);
  const file = await parseText(format ?? "text", task.name, text);
  if (lost > 0) {
    file.warnings.set("invalid_characters", lost);
  }
  return { mediaType: FORMATS[format ?? "text"].mediaTypes[0], file };
}

function textFormat(name: string | null, text: string): Format {
  if (isHtml(text)) {
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

/** Whether a text starts as a web page, possibly after comments or an XML declaration. */
function isHtml(text: string): boolean {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/<!--[\s\S]*?-->|<\?xml[^>]*>/g, "");
  return /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i.test(head);
}
