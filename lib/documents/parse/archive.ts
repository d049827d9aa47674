import { buffer } from "node:stream/consumers";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { DocumentError } from "../document-error";

/** What identifies an archive's format and hidden text. */
export interface Archive {
  names: string[];
  mimetype: string;
  /** Whether a Word file marks text as hidden. */
  hasVanished: boolean;
  /** Marks of hidden text that the parser doesn't report. */
  hiddenMarks: number;
}

/** More than any office file has. Each entry costs time, whatever its size. */
const MAX_ENTRIES = 10_000;
const MAX_MIMETYPE = 200;
const HIDDEN_MARKS: [part: RegExp, mark: RegExp][] = [
  [/\.x?html?$/, /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0\D/gi],
  [/^content\.xml$/, /text:display="none"|<text:hidden-(?:text|paragraph)/g],
  [/^xl\/workbook\.xml$/, /state="(?:very)?hidden"/gi],
];
const VANISHED = /<w:(?:vanish|specVanish|webHidden)[ />]/;

/**
 * Inflates every entry once before parsing, to count the real bytes: the sizes in the headers can't be trusted.
 * Doesn't open nested archives. Throws damaged_file, password_protected or too_large_expanded.
 */
export async function inspectArchive(bytes: Uint8Array, maxBytes: number): Promise<Archive> {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
      lazyEntries: true,
    });
    return await walk(zip, maxBytes);
  } catch (thrown) {
    if (thrown instanceof DocumentError) {
      throw thrown;
    }
    throw new DocumentError("damaged_file");
  }
}

async function walk(zip: ZipFile, maxBytes: number): Promise<Archive> {
  const archive: Archive = { names: [], mimetype: "", hasVanished: false, hiddenMarks: 0 };
  let left = maxBytes;
  for await (const entry of zip.eachEntry()) {
    archive.names.push(entry.fileName);
    if (entry.isEncrypted()) {
      throw new DocumentError("password_protected");
    }
    if (archive.names.length > MAX_ENTRIES) {
      throw new DocumentError("too_complex");
    }
    const size = await inflatedSize(zip, entry, left);
    left -= size;
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
  } else if (entry.fileName === "word/document.xml") {
    archive.hasVanished = VANISHED.test(await textOf(zip, entry));
  }
  for (const [, mark] of HIDDEN_MARKS.filter(([part]) => part.test(entry.fileName))) {
    archive.hiddenMarks += (await textOf(zip, entry)).match(mark)?.length ?? 0;
  }
}

async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  return (await buffer(await zip.openReadStreamPromise(entry))).toString("utf8");
}
