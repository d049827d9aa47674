import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { DocumentError } from "../document-error";
import { UNREAD_SIGNS } from "../office/word-symbols";

/** What identifies an archive's format, and what its parser doesn't report. */
export interface Archive {
  names: string[];
  mimetype: string;
  /** The part of an OOXML file that its relationships name as the document. */
  mainPart: string | null;
  /** Of an OOXML file's parts. */
  contentTypes: Map<string, string>;
  /** Whether a Word file has hidden text, or a presentation has tables. */
  needsMarkup: boolean;
  /** Whether an office file has signs, or a Word file places of cells, that its parser leaves out. */
  hasUnreadSigns: boolean;
  /** Marks of hidden text that the parser doesn't report. */
  hiddenMarks: number;
  charts: number;
  /** Projects of macros in an Office file, and scripts of an OpenDocument file. */
  scripts: number;
  /** Entities that parts define in a document type. */
  entities: number;
}

/** More than any office file has. Each entry costs time, whatever its size. */
const MAX_ENTRIES = 10_000;
const MAX_MIMETYPE = 200;
const HIDDEN_MARKS: [part: RegExp, mark: RegExp][] = [
  [/\.x?html?$/, /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0\D/gi],
  [/^content\.xml$/, /text:display="none"|<text:hidden-(?:text|paragraph)/g],
  [/^xl\/workbook\.xml$/, /state="(?:very)?hidden"/gi],
  [/^ppt\/slides\/slide\d+\.xml$/, /<p:sld\s[^>]*\bshow="(?:0|false)"/g],
];
const NEEDS_MARKUP: [part: RegExp, mark: RegExp][] = [
  [/^word\/document\d?\.xml$/, /<w:(?:vanish|specVanish|webHidden)[ />]/],
  [/^ppt\/slides\/slide\d+\.xml$/, /<a:tbl[ >]/],
];
/** A chart of an OOXML file by its part, and of an OpenDocument file by its entry in the manifest. */
const CHART_PART = /\/charts\/chart(?:Ex)?\d*\.xml$/;
const SCRIPT_PART = /(?:^|\/)vbaProject\.bin$|^Basic\/[^/]+\/(?!script-l)[^/]+\.xml$/;
const XML_PART = /\.(?:xml|rels|x?html?)$/;
const ENTITY = /<!ENTITY\s/g;
const MANIFEST = "META-INF/manifest.xml";
const CHART_OBJECT = /application\/vnd\.oasis\.opendocument\.chart"/g;
const RELATIONS = "_rels/.rels";
const CONTENT_TYPES = "[Content_Types].xml";
const MAIN_PART =
  /<(?:\w+:)?Relationship\s(?=[^>]*\/officeDocument")[^>]*\bTarget="(?:\.?\/)?([^"]+)"/;

/**
 * Inflates every entry once before parsing, to count the real bytes: the sizes in the headers can't be trusted.
 * Doesn't open nested archives. Throws damaged_file, password_protected or too_large_expanded.
 */
export async function inspectArchive(bytes: Uint8Array, maxBytes: number): Promise<Archive> {
  try {
    return await walk(await openZip(bytes), maxBytes);
  } catch (thrown) {
    throw thrown instanceof DocumentError ? thrown : new DocumentError("damaged_file");
  }
}

/** The parts of an archive that was inspected, by name. */
export async function openParts(
  bytes: Uint8Array,
): Promise<{ has(name: string): boolean; open(name: string): Promise<Readable> }> {
  const zip = await openZip(bytes);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, entry);
  }
  return {
    has: (name) => entries.has(name),
    open: async (name) => {
      const entry = entries.get(name);
      if (!entry) {
        throw new DocumentError("damaged_file");
      }
      return zip.openReadStreamPromise(entry);
    },
  };
}

function openZip(bytes: Uint8Array): Promise<ZipFile> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return fromBufferPromise(file, { lazyEntries: true });
}

async function walk(zip: ZipFile, maxBytes: number): Promise<Archive> {
  const archive: Archive = {
    names: [],
    mimetype: "",
    mainPart: null,
    contentTypes: new Map(),
    needsMarkup: false,
    hasUnreadSigns: false,
    hiddenMarks: 0,
    charts: 0,
    scripts: 0,
    entities: 0,
  };
  let left = maxBytes;
  for await (const entry of zip.eachEntry()) {
    archive.names.push(entry.fileName);
    if (entry.isEncrypted()) {
      throw new DocumentError("password_protected");
    }
    if (archive.names.length > MAX_ENTRIES) {
      throw new DocumentError("too_complex");
    }
    const { size, head } = await inflate(zip, entry, left);
    left -= size;
    archive.entities += XML_PART.test(entry.fileName) ? countOf(head, ENTITY) : 0;
    archive.scripts += SCRIPT_PART.test(entry.fileName) ? 1 : 0;
    await look(zip, entry, archive);
  }
  return archive;
}

async function look(zip: ZipFile, entry: Entry, archive: Archive): Promise<void> {
  const marks = HIDDEN_MARKS.filter(([part]) => part.test(entry.fileName));
  const unread = UNREAD_SIGNS.filter(([part]) => part.test(entry.fileName));
  const needs = NEEDS_MARKUP.filter(([part]) => part.test(entry.fileName));
  if (entry.fileName === "mimetype" && entry.uncompressedSize <= MAX_MIMETYPE) {
    archive.mimetype = (await textOf(zip, entry)).trim();
  } else if (entry.fileName === RELATIONS) {
    archive.mainPart = MAIN_PART.exec(await textOf(zip, entry))?.[1] ?? null;
  } else if (entry.fileName === MANIFEST) {
    archive.charts += countOf(await textOf(zip, entry), CHART_OBJECT);
  } else if (CHART_PART.test(entry.fileName)) {
    archive.charts += 1;
  } else if (entry.fileName === CONTENT_TYPES) {
    archive.contentTypes = contentTypes(await textOf(zip, entry));
  } else if (marks.length > 0 || needs.length > 0 || unread.length > 0) {
    const text = await textOf(zip, entry);
    archive.hasUnreadSigns ||= unread.some(([, sign]) => sign.test(text));
    archive.needsMarkup ||= needs.some(([, mark]) => mark.test(text));
    archive.hiddenMarks += marks.reduce((sum, [, mark]) => sum + countOf(text, mark), 0);
  }
}

function countOf(text: string, mark: RegExp): number {
  return text.match(mark)?.length ?? 0;
}

/** By part. */
function contentTypes(xml: string): Map<string, string> {
  const attributeOf = (tag: string, name: string) =>
    new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  const overrides = [...xml.matchAll(/<(?:\w+:)?Override\s[^>]*>/g)].map(([tag]) => tag);
  return new Map(
    overrides.map((tag) => [
      attributeOf(tag, "PartName").replace(/^\//, ""),
      attributeOf(tag, "ContentType"),
    ]),
  );
}

/** The size of an entry, and how it begins: a document type comes before everything else. */
async function inflate(
  zip: ZipFile,
  entry: Entry,
  most: number,
): Promise<{ size: number; head: string }> {
  const stream = await zip.openReadStreamPromise(entry);
  let size = 0;
  let head = "";
  for await (const part of stream) {
    head ||= (part as Buffer).toString("latin1");
    size += (part as Buffer).length;
    if (size > most) {
      stream.destroy();
      throw new DocumentError("too_large_expanded");
    }
  }
  return { size, head };
}

async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  return (await buffer(await zip.openReadStreamPromise(entry))).toString("utf8");
}
