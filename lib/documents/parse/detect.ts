import { fileTypeFromBuffer } from "file-type";
import { DocumentError } from "../document-error";
import { type Archive, inspectArchive } from "./archive";
import { decodeText } from "./decode";

export type Format = "pdf" | "docx" | "pptx" | "xlsx" | "odt" | "epub" | "text";

/** What the bytes of a file are; the walk through an archive is handed on. */
export interface Detected {
  format: Format;
  archive: Archive | null;
}

const OFFICE_PARTS: [Format, string][] = [
  ["docx", "word/document.xml"],
  ["pptx", "ppt/presentation.xml"],
  ["xlsx", "xl/workbook.xml"],
];
const MIMETYPES: Record<string, Format> = {
  "application/vnd.oasis.opendocument.text": "odt",
  "application/epub+zip": "epub",
};
/** Of an archive with entries, and of an empty one. */
const ARCHIVE_HEADS = ["PK\u0003\u0004", "PK\u0005\u0006"];
/** A PDF may have other bytes before its first line; then its end must be one's as well. */
const HEAD_BYTES = 1024;
const SAMPLE_BYTES = 64 * 1024;
/** Made of letters, and no text to a reader: RTF and PostScript. */
const OTHER_TEXTS = ["{\\rtf", "%!PS"];
const PDF_END = "startxref";
/** The container of Word 97 and its kin, and of any Office file with a password. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/** A name in its directory, as UTF-16. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");
/** Found by their first bytes, and text all the same. */
const TEXT_TYPES = /^text\/|[/+]xml$|json|html/;

/**
 * Tells a file's format from its bytes alone. Throws unsupported_format for what cannot be read, and
 * what an archive or its protection makes impossible.
 */
export async function detectFormat(bytes: Uint8Array, maxExpandedBytes: number): Promise<Detected> {
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
    throw compoundFault(bytes);
  }
  const found = await fileTypeFromBuffer(bytes);
  if (found && !TEXT_TYPES.test(found.mime) && !isProse(bytes)) {
    throw unsupported(`The file is of the type ${found.mime}`);
  }
  return { format: "text", archive: null };
}

/** A text may well begin as another format does, such as "BMI" and "MZ"; what stands behind tells. */
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

function archiveFormat({ names, mimetype }: Archive): Format {
  const office = OFFICE_PARTS.find(([, part]) => names.includes(part));
  const format = office?.[0] ?? MIMETYPES[mimetype];
  if (format) {
    return format;
  }
  throw unsupported("The file is an archive and no document");
}

function compoundFault(bytes: Uint8Array): DocumentError {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(ENCRYPTED_PACKAGE)
    ? new DocumentError("password_protected")
    : new DocumentError(
        "unsupported_format",
        "The file is in the format of Office 97 to 2003. Save it as DOCX, PPTX or XLSX and upload that.",
      );
}

function unsupported(what: string): DocumentError {
  return new DocumentError(
    "unsupported_format",
    `${what}, which cannot be read. Upload PDF, DOCX, PPTX, XLSX, ODT, HTML, EPUB, Markdown, CSV or plain text.`,
  );
}
