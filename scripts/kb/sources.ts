import { createReadStream, type Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { hasExtension } from "@/lib/documents/formats";
import type { PublicDocument } from "@/lib/documents/identity";
import { env } from "@/lib/env";
import { fromLine, fromMarkdown, type Item } from "./describe";

/** A line by its number, from 1. `text` is null if the line exceeds the limit. */
interface Line {
  number: number;
  text: string | null;
}

export interface Source {
  files: { path: string; sizeBytes: number }[];
  totalBytes: number;
}

const NEWLINE = 0x0a;
/** JSON is longer than the text in it. */
const LINE_BYTES = 2 * env.MAX_UPLOAD_BYTES;

/** The files below a path, by name, without hidden ones and links to folders. */
export async function findFiles(root: string): Promise<Source> {
  const files = await filesBelow(path.resolve(root));
  return { files, totalBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

async function filesBelow(place: string): Promise<Source["files"]> {
  const found = await stat(place);
  if (!found.isDirectory()) {
    return found.isFile() ? [{ path: place, sizeBytes: found.size }] : [];
  }
  const entries = (await readdir(place, { withFileTypes: true })).filter(isWanted);
  const files: Source["files"] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = path.join(place, entry.name);
    // A link to a folder could form a loop.
    if (!entry.isSymbolicLink() || (await stat(below).catch(() => null))?.isFile()) {
      files.push(...(await filesBelow(below)));
    }
  }
  return files;
}

function isWanted({ name }: Dirent): boolean {
  return !name.startsWith(".");
}

/** Reads the documents of all files in order. `onBytes` reports the progress. */
export async function* readSource(
  { files }: Source,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Item> {
  let before = 0;
  for (const file of files) {
    const where = path.relative("", file.path) || file.path;
    try {
      const items = isLines(file.path)
        ? readLines(file.path, where, (bytes) => onBytes(before + bytes))
        : readWhole(file, where);
      yield* items;
    } catch (thrown) {
      yield { where, fault: `Could not read the file: ${(thrown as Error).message}` };
    }
    before += file.sizeBytes;
    onBytes(before);
  }
}

function isLines(file: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(file);
}

async function* readLines(
  file: string,
  name: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Item> {
  const raw = createReadStream(file);
  const text = file.toLowerCase().endsWith(".gz")
    ? pipeline(raw, createGunzip(), () => {
        // Errors surface in the loop below.
      })
    : raw;
  for await (const line of linesOf(text, LINE_BYTES)) {
    onBytes(raw.bytesRead);
    const where = `${name}:${line.number}`;
    yield line.text === null
      ? { where, fault: "The line is longer than the limit for a document." }
      : fromLine(line.text, where);
  }
}

async function* readWhole(
  { path: file, sizeBytes }: Source["files"][number],
  where: string,
): AsyncGenerator<Item> {
  if (sizeBytes > env.MAX_UPLOAD_BYTES) {
    const most = Math.floor(env.MAX_UPLOAD_BYTES / 1024 / 1024);
    yield { where, fault: `The file is larger than ${most} MB. Split it and import the parts.` };
    return;
  }
  const bytes = await readFile(file);
  const plain: PublicDocument = {
    key: null,
    path: file,
    name: path.basename(file),
    title: null,
    sourceType: "document",
    url: null,
    publishedAt: null,
    metadata: {},
    mediaType: null,
    bytes,
  };
  yield hasExtension(file, "markdown") ? fromMarkdown(plain, where) : { where, document: plain };
}

/** Splits a stream into lines without buffering more than one. Skips blank lines. */
async function* linesOf(stream: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let number = 1;
  const take = (part: Buffer) => {
    size += part.byteLength;
    parts = size > limitBytes ? [] : [...parts, part];
  };
  const end = (): Line => {
    const text = size > limitBytes ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    size = 0;
    return { number: number++, text };
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, at));
      start = at + 1;
      yield* unlessBlank(end());
    }
    take(chunk.subarray(start));
  }
  yield* unlessBlank(end());
}

function* unlessBlank(line: Line): Generator<Line> {
  if (line.text === null || line.text.trim()) {
    yield line;
  }
}
