import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { env } from "@/lib/platform/env";
import { hasExtension } from "@/lib/reading/formats";
import { toPath } from "../command/run";
import { fromLine, fromMarkdown, type Item, UNDESCRIBED } from "./describe";

export interface SourceFile {
  path: string;
  sizeBytes: number;
}

const NEWLINE = 0x0a;
/** JSON is longer than the text in it. */
const LINE_BYTES = 2 * env.MAX_UPLOAD_BYTES;

/** The files below a path, by name, without hidden ones and links to folders. */
export async function findFiles(root: string): Promise<SourceFile[]> {
  const place = path.resolve(toPath(root));
  const found = await stat(place);
  if (!found.isDirectory()) {
    return found.isFile() ? [{ path: place, sizeBytes: found.size }] : [];
  }
  const entries = await readdir(place, { withFileTypes: true });
  const files: SourceFile[] = [];
  const shown = entries.filter(({ name }) => !name.startsWith("."));
  for (const entry of shown.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = path.join(place, entry.name);
    // A link to a folder could form a loop.
    if (!entry.isSymbolicLink() || (await stat(below).catch(() => null))?.isFile()) {
      files.push(...(await findFiles(below)));
    }
  }
  return files;
}

/** Reads the documents of all files in order. `onBytes` reports the progress. */
export async function* readSource(
  files: SourceFile[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<Item> {
  let before = 0;
  for (const file of files) {
    const where = path.relative(toPath("."), file.path) || file.path;
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
  let number = 0;
  for await (const line of linesOf(text)) {
    number += 1;
    onBytes(raw.bytesRead);
    const where = `${name}:${number}`;
    if (line === null) {
      yield { where, fault: "The line is longer than the limit for a document." };
    } else if (line.trim()) {
      yield fromLine(line, where);
    }
  }
}

async function* readWhole(
  { path: file, sizeBytes }: SourceFile,
  where: string,
): AsyncGenerator<Item> {
  if (sizeBytes > env.MAX_UPLOAD_BYTES) {
    const most = Math.floor(env.MAX_UPLOAD_BYTES / 1024 / 1024);
    yield { where, fault: `The file is larger than ${most} MB. Split it and import the parts.` };
    return;
  }
  const bytes = await readFile(file);
  const plain = { ...UNDESCRIBED, path: file, name: path.basename(file), bytes };
  yield hasExtension(file, "markdown") ? fromMarkdown(plain, where) : { where, document: plain };
}

/** Splits a stream into lines without buffering more than one. A line over the limit is null. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer) => {
    size += part.byteLength;
    parts = size > LINE_BYTES ? [] : [...parts, part];
  };
  const end = () => {
    const text = size > LINE_BYTES ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    size = 0;
    return text;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, at));
      start = at + 1;
      yield end();
    }
    take(chunk.subarray(start));
  }
  yield end();
}
