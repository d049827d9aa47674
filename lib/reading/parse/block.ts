import type { PackedBoxes } from "../page-boxes";

/** A block of a document, in reading order. Chunks are split between blocks. */
export interface Block {
  kind: "heading" | "paragraph" | "item" | "row";
  /** The level of a heading, from 1; otherwise 0. */
  depth: number;
  text: string;
  /** An item's own number, such as "2(a)". Without one it has a dash. */
  label?: string;
  /** The names of a row's columns, as a row's text. They are written above the first row of each passage. */
  head?: string;
  /** Which part of a wide table a row, or the title above some, belongs to, from 1; absent in the first one. */
  part?: number;
  /** The caption of the table of which it is a row, if passages may contain the row without it. */
  caption?: string;
  /** From 1; absent in a format without pages. */
  page?: number;
  /** Where its words are on its page, by their range in `text`; absent if that isn't known. */
  boxes?: PackedBoxes;
  /** Whether a person can't see all of it. */
  isHidden?: boolean;
  /** Of text that was recognized in an image: the ranges of words that may be wrong, start and end of each in turn. */
  uncertain?: readonly number[];
  /** The same of the words of `head`. */
  uncertainHead?: readonly number[];
}

export interface ParsedFile {
  blocks: Block[];
  /** From the document's properties or its first heading. */
  title: string | null;
  /** Both null in a format without pages. */
  pages: number | null;
  emptyPages: number | null;
  /** By page, from 0 to 1: how far its text and order can be trusted; null for a page without text. Only for PDFs. */
  confidence?: (number | null)[];
  /** What the parser skipped or could not read: counts by code. */
  warnings: Map<string, number>;
  /** Pages that show something but have no usable text, from 1. Absent in formats that have none. */
  scans?: number[];
  /** Of an email, in its order. */
  attachments?: Attachment[];
}

export interface Attachment {
  name: string;
  /** Null for an email in an Outlook message, which isn't stored as a file. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

/** Default titles that programs give documents. */
export const NO_TITLE =
  /^(?:untitled|document|presentation|powerpoint|book|workbook|slide)?\s*\d*$|^microsoft \w+ - |\.\w{2,5}$/i;

export function paragraph(text: string): Block {
  return { kind: "paragraph", depth: 0, text };
}

/** A file without pages or warnings. Its title defaults to its first top-level heading. */
export function toParsedFile(blocks: Block[], title: string | null = null): ParsedFile {
  const heading = blocks.find(({ kind, depth }) => kind === "heading" && depth === 1);
  return {
    blocks,
    title: title ?? heading?.text ?? null,
    pages: null,
    emptyPages: null,
    warnings: new Map(),
  };
}

/** Splits plain text into paragraphs at blank lines. */
export function parsePlain(text: string): Block[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => paragraph(part));
}
