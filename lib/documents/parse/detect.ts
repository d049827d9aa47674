import { buffer } from "node:stream/consumers";
import { fileTypeFromBuffer } from "file-type";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { DocumentError } from "../document-error";
import { FORMAT_LABELS, FORMATS, type OfficeFormat } from "../formats";
import { decodeText } from "./decode";

/** What identifies an archive's format and hidden text. */
export interface Archive {
  names: string[];
  mimetype: string;
  /** Whether a Word file has hidden text, or a presentation has tables. */
  needsMarkup: boolean;
  /** Marks of hidden text that the parser doesn't report. */
  hiddenMarks: number;
}

/** A file's format by its bytes. All formats of text are `text`. */
export interface DetectedFormat {
  format: OfficeFormat | "text";
  archive: Archive | null;
}

const OFFICE_PARTS: [OfficeFormat, string][] = [
  ["docx", "word/document.xml"],
  ["pptx", "ppt/presentation.xml"],
  ["xlsx", "xl/workbook.xml"],
];
/** Formats whose archive contains a file with the media type. */
const MIMETYPE_FORMATS = ["odt", "epub"] as const;
/** Of an archive with entries, and of an empty one. */
const ARCHIVE_HEADS = ["PK\u0003\u0004", "PK\u0005\u0006"];
/** A PDF may start after other bytes if it also ends as one. */
const HEAD_BYTES = 1024;
const SAMPLE_BYTES = 64 * 1024;
/** Made of letters but not readable: RTF and PostScript. */
const OTHER_TEXTS = ["{\\rtf", "%!PS"];
const PDF_END = "startxref";
/** The container of Office 97 to 2003, and of any Office file with a password. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const OLD_OFFICE =
  "The file is in the format of Office 97 to 2003. Save it as DOCX, PPTX or XLSX and upload that.";
/** A name in its directory, in UTF-16. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");
/** Types that file-type detects by their first bytes although they are text. */
const TEXT_TYPES = /^text\/|[/+]xml$|json|html/;

/** More than any office file has. Each entry costs time, whatever its size. */
const MAX_ENTRIES = 10_000;
const MAX_MIMETYPE = 200;
const HIDDEN_MARKS: [part: RegExp, mark: RegExp][] = [
  [/\.x?html?$/, /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0\D/gi],
  [/^content\.xml$/, /text:display="none"|<text:hidden-(?:text|paragraph)/g],
  [/^xl\/workbook\.xml$/, /state="(?:very)?hidden"/gi],
];
const NEEDS_MARKUP: [part: RegExp, mark: RegExp][] = [
  [/^word\/document\d?\.xml$/, /<w:(?:vanish|specVanish|webHidden)[ />]/],
  [/^ppt\/slides\/slide\d+\.xml$/, /<a:tbl[ >]/],
];

/** Detects a file's format by its bytes alone. Throws a DocumentError for unsupported, damaged or protected files. */
export async function detectFormat(
  bytes: Uint8Array,
  maxExpandedBytes: number,
): Promise<DetectedFormat> {
  const head = latin1(bytes.subarray(0, HEAD_BYTES));
  const tail = latin1(bytes.subarray(-HEAD_BYTES));
  if (head.startsWith("%PDF-") || (head.includes("%PDF-") && tail.includes(PDF_END))) {
    return { format: "pdf", archive: null };
  }
  if (ARCHIVE_HEADS.some((start) => head.startsWith(start))) {
    const archive = await inspectArchive(bytes, maxExpandedBytes);
    const format = archiveFormat(archive);
    if (!format) {
      throw unsupported("The file is an archive, not a document");
    }
    return { format, archive };
  }
  if (COMPOUND_FILE.every((byte, at) => bytes[at] === byte)) {
    throw Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(ENCRYPTED_PACKAGE)
      ? new DocumentError("password_protected")
      : new DocumentError("unsupported_format", OLD_OFFICE);
  }
  const found = await fileTypeFromBuffer(bytes);
  if (found && !TEXT_TYPES.test(found.mime) && !isProse(bytes)) {
    throw unsupported(`The file is of the type ${found.mime}`);
  }
  return { format: "text", archive: null };
}

/** A text may start like another format, such as "BMI" or "MZ". The rest shows that it is text. */
function isProse(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (OTHER_TEXTS.some((start) => latin1(sample.subarray(0, HEAD_BYTES)).startsWith(start))) {
    return false;
  }
  try {
    return decodeText(sample).text.length > 0;
  } catch {
    return false;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function archiveFormat({ names, mimetype }: Archive): OfficeFormat | undefined {
  const office = OFFICE_PARTS.find(([, part]) => names.includes(part));
  return office?.[0] ?? MIMETYPE_FORMATS.find((each) => FORMATS[each].mediaTypes[0] === mimetype);
}

function unsupported(what: string): DocumentError {
  return new DocumentError(
    "unsupported_format",
    `${what}, and cannot be read. Upload ${FORMAT_LABELS}.`,
  );
}

/**
 * Inflates every entry once before parsing, to count the real bytes: the sizes in the headers can't be trusted.
 * Doesn't open nested archives. Throws damaged_file, password_protected or too_large_expanded.
 */
async function inspectArchive(bytes: Uint8Array, maxBytes: number): Promise<Archive> {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
      lazyEntries: true,
    });
    return await walk(zip, maxBytes);
  } catch (thrown) {
    throw thrown instanceof DocumentError ? thrown : new DocumentError("damaged_file");
  }
}

async function walk(zip: ZipFile, maxBytes: number): Promise<Archive> {
  const archive: Archive = { names: [], mimetype: "", needsMarkup: false, hiddenMarks: 0 };
  let left = maxBytes;
  for await (const entry of zip.eachEntry()) {
    archive.names.push(entry.fileName);
    if (entry.isEncrypted()) {
      throw new DocumentError("password_protected");
    }
    if (archive.names.length > MAX_ENTRIES) {
      throw new DocumentError("too_complex");
    }
    left -= await inflatedSize(zip, entry, left);
    await look(zip, entry, archive);
  }
  return archive;
}

async function inflatedSize(zip: ZipFile, entry: Entry, most: number): Promise<number> {
  const stream = await zip.openReadStreamPromise(entry);
  let size = 0;
  for await (const part of stream) {
    size += (part as Buffer).length;
    if (size > most) {
      stream.destroy();
      throw new DocumentError("too_large_expanded");
    }
  }
  return size;
}

async function look(zip: ZipFile, entry: Entry, archive: Archive): Promise<void> {
  if (entry.fileName === "mimetype" && entry.uncompressedSize <= MAX_MIMETYPE) {
    archive.mimetype = (await textOf(zip, entry)).trim();
  } else if (NEEDS_MARKUP.some(([part]) => part.test(entry.fileName))) {
    const text = await textOf(zip, entry);
    archive.needsMarkup ||= NEEDS_MARKUP.some(
      ([part, mark]) => part.test(entry.fileName) && mark.test(text),
    );
  }
  for (const [, mark] of HIDDEN_MARKS.filter(([part]) => part.test(entry.fileName))) {
    archive.hiddenMarks += (await textOf(zip, entry)).match(mark)?.length ?? 0;
  }
}

async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  return (await buffer(await zip.openReadStreamPromise(entry))).toString("utf8");
}
