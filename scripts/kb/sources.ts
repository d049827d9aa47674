import { createReadStream, type Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { PublicDocument } from "@/lib/documents/identity";
import { env } from "@/lib/env";
import { fromLine, fromMarkdown, type Item } from "./describe";
import { linesOf } from "./lines";

export interface Source {
  files: { path: string; sizeBytes: number }[];
  totalBytes: number;
}

/** A line of JSON is longer than the text in it. */
const LINE_BYTES = 2 * env.MAX_UPLOAD_BYTES;

/** The files below a path, in the order of their names; hidden ones and links to folders are left out. */
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
    // A link to a folder may lead back to where it stands.
    if (!entry.isSymbolicLink() || (await stat(below).catch(() => null))?.isFile()) {
      files.push(...(await filesBelow(below)));
    }
  }
  return files;
}

function isWanted({ name }: Dirent): boolean {
  return !name.startsWith(".");
}

/** Every document of the files, one after the other; `onBytes` hears how far the reading is. */
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
      yield { where, fault: `The file cannot be read: ${(thrown as Error).message}` };
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
        // An error of either comes out of the loop below.
      })
    : raw;
  for await (const line of linesOf(text, LINE_BYTES)) {
    onBytes(raw.bytesRead);
    const where = `${name}:${line.number}`;
    yield line.text === null
      ? { where, fault: "The line is longer than a document may be." }
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
  yield /\.(md|markdown|mdown)$/i.test(file)
    ? fromMarkdown(plain, where)
    : { where, document: plain };
}
