import { fileTypeFromBuffer } from "file-type";
import { DocumentError } from "../document-error";
import { isWithoutDirectory } from "../email/compound-file";
import {
  FORMAT_LABELS,
  FORMATS,
  type Format,
  findFormat,
  type ImageFormat,
  type OfficeFormat,
} from "../formats";
import { type Archive, inspectArchive } from "./archive";
import { decodeText } from "./decode";

/** A file's format by its bytes. All other formats of text are `text`. */
export interface DetectedFormat {
  format: OfficeFormat | ImageFormat | "pdf" | "email" | "outlook" | "text";
  archive: Archive | null;
}

/** OOXML formats, with a part they have when the package doesn't say which one is the document. */
const OFFICE_PARTS: [format: OfficeFormat, type: RegExp, part: string][] = [
  ["docx", /wordprocessingml|ms-word/, "word/document.xml"],
  ["pptx", /presentationml|ms-powerpoint/, "ppt/presentation.xml"],
  ["xlsx", /spreadsheetml|ms-excel/, "xl/workbook.xml"],
];
/** Formats whose archive contains a file with the media type. Templates have one that starts like it. */
const MIMETYPE_FORMATS = ["odt", "ods", "odp", "epub"] as const;
/** Of an archive with entries, and of an empty one. */
const ARCHIVE_HEADS = ["PK\u0003\u0004", "PK\u0005\u0006"];
/** A PDF may start after other bytes if it also ends as one. */
const HEAD_BYTES = 1024;
const SAMPLE_BYTES = 64 * 1024;
const RTF_HEAD = "{\\rtf";
/** Made of letters but not readable. */
const POSTSCRIPT = "%!PS";
/** Prose that starts like another format is in UTF-8, or nearly all of it is ASCII. */
const LEAST_ASCII = 0.7;
const PDF_END = "startxref";
/** The container of Office 97 to 2003, and of any Office file with a password. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const COMPOUND_HEADER_BYTES = 512;
/** What the container's directory names, in UTF-16, and what to do with such a file. */
const OLD_FORMATS: [name: string, advice: string][] = [
  ["WordDocument", "a Word document of 1997 to 2003 (DOC). Save it as DOCX and upload that."],
  ["PowerPoint Document", "a presentation of 1997 to 2003 (PPT). Save it as PPTX and upload that."],
  ["Workbook", "an Excel workbook of 1997 to 2003 (XLS). Save it as XLSX and upload that."],
  ["Book", "an Excel workbook of 1995 (XLS). Save it as XLSX and upload that."],
];
const OLD_OFFICE = "a format of Office 97 to 2003. Save it as DOCX, PPTX or XLSX and upload that.";
const BINARY_WORKBOOK = "a binary Excel workbook (XLSB). Save it as XLSX and upload that.";
/** Names in its directory, in UTF-16. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");
const MESSAGE_PROPERTY = Buffer.from("__substg1.0_", "utf16le");
/** Types that file-type detects by their first bytes although they are text. */
const TEXT_TYPES = /^text\/|[/+]xml$|json|html/;

/** Where the headers must have shown that a file is an email. */
const MAIL_HEAD_BYTES = 16 * 1024;
const MAIL_FIELD = /^[!-9;-~]{1,60}:/;
const KNOWN_FIELD =
  /^(?:from|to|date|subject|message-id|mime-version|received|return-path|delivered-to):/i;
const LEAST_FIELDS = 3;

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
    return { format: archiveFormat(archive), archive };
  }
  if (COMPOUND_FILE.every((byte, at) => bytes[at] === byte)) {
    return detectCompound(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }
  if (head.startsWith(RTF_HEAD)) {
    return { format: "rtf", archive: null };
  }
  if (isEmail(bytes)) {
    return { format: "email", archive: null };
  }
  const found = await fileTypeFromBuffer(bytes);
  const image = found && findFormat(found.mime);
  if (image && isImage(image)) {
    return { format: image, archive: null };
  }
  if (found && !TEXT_TYPES.test(found.mime) && !isProse(bytes)) {
    throw unsupported(`The file is of the type ${found.mime}`);
  }
  return { format: "text", archive: null };
}

export function isImage(format: Format): format is ImageFormat {
  return FORMATS[format].parser === "image";
}

/** An Outlook message is read, also one that has an Office file attached; the others are refused by name. */
function detectCompound(bytes: Buffer): DetectedFormat {
  if (bytes.includes(MESSAGE_PROPERTY)) {
    return { format: "outlook", archive: null };
  }
  if (bytes.includes(ENCRYPTED_PACKAGE)) {
    throw new DocumentError("password_protected");
  }
  const found = OLD_FORMATS.find(([name]) => bytes.includes(Buffer.from(name, "utf16le")));
  if (!found && bytes.length >= COMPOUND_HEADER_BYTES && isWithoutDirectory(bytes)) {
    throw new DocumentError("damaged_file");
  }
  throw new DocumentError("unsupported_format", `The file is ${found?.[1] ?? OLD_OFFICE}`);
}

/** Whether bytes start with the headers of an email: lines of names and values, several of them well known. */
function isEmail(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, MAIL_HEAD_BYTES)).toString("latin1");
  const end = /\r?\n\r?\n/.exec(head)?.index;
  const lines = head.slice(0, end).split(/\r?\n/);
  const fields = lines.filter((line) => !/^[ \t]/.test(line));
  // The last one may be cut off.
  const isWhole = (end === undefined ? fields.slice(0, -1) : fields).every((line) =>
    MAIL_FIELD.test(line),
  );
  return isWhole && fields.filter((line) => KNOWN_FIELD.test(line)).length >= LEAST_FIELDS;
}

/** A text may start like another format, such as "BMI" or "MZ". The rest shows that it is text. */
function isProse(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (latin1(sample).startsWith(POSTSCRIPT)) {
    return false;
  }
  try {
    const { text, encoding } = decodeText(sample);
    const ascii = text.match(/[\t\n -~]/g)?.length ?? 0;
    return text.length > 0 && (encoding === "utf-8" || ascii > text.length * LEAST_ASCII);
  } catch {
    return false;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function archiveFormat({ names, mimetype, mainPart, contentTypes }: Archive): OfficeFormat {
  const type = contentTypes.get(mainPart ?? "") ?? "";
  if (/sheet\.binary/.test(type)) {
    throw new DocumentError("unsupported_format", `The file is ${BINARY_WORKBOOK}`);
  }
  const office =
    OFFICE_PARTS.find(([, main]) => main.test(type)) ??
    OFFICE_PARTS.find(([, , part]) => names.includes(part));
  const open = MIMETYPE_FORMATS.find((each) => mimetype.startsWith(FORMATS[each].mediaTypes[0]));
  const format = office?.[0] ?? open;
  if (format) {
    return format;
  }
  throw unsupported(
    mimetype ? `The file is of the type ${mimetype}` : "The file is an archive, not a document",
  );
}

function unsupported(what: string): DocumentError {
  return new DocumentError(
    "unsupported_format",
    `${what}, and cannot be read. Upload ${FORMAT_LABELS}.`,
  );
}
