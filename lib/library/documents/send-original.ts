import "server-only";

import { Download } from "@/lib/platform/http/download";
import { FORMATS, findFormat } from "@/lib/reading/formats";
import type { Reader } from "./collections";
import { getOriginal, type Original, readOriginal } from "./read/originals";

interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/** A document's file as it was uploaded, or one range of it, as a download. Throws not_found, and original_not_stored. */
export async function sendOriginal(ctx: Reader, id: string, headers: Headers): Promise<Download> {
  const original = await getOriginal(ctx, id);
  const etag = `"${original.hash}"`;
  const shared = { etag, "accept-ranges": "bytes" };
  const file = { name: fileNameOf(original), mediaType: original.mediaType };
  if (headers.get("if-none-match")?.includes(etag)) {
    return new Download(nothing(), { ...file, status: 304, headers: shared });
  }
  const sinceRange = headers.get("if-range");
  const isSame = sinceRange === null || sinceRange === etag;
  const range = isSame ? rangeOf(headers.get("range"), original.bytes) : null;
  const { start, end } = range ?? { start: 0, end: original.bytes };
  return new Download(readOriginal(original, { start, end }), {
    ...file,
    status: range ? 206 : 200,
    headers: {
      ...shared,
      "content-length": String(end - start),
      ...(range && { "content-range": `bytes ${start}-${end - 1}/${original.bytes}` }),
    },
  });
}

/** Null for none, several or one outside the file: then the whole file is sent, as HTTP allows. */
function rangeOf(header: string | null, bytes: number): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") {
    return null;
  }
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes : Math.min(bytes, Number(last) + 1);
  return start < end ? { start, end } : null;
}

/** The name it was uploaded with, or its title with the format's extension. */
function fileNameOf({ name, title, mediaType }: Original): string {
  const format = findFormat(mediaType);
  const extension = format ? FORMATS[format].extensions[0] : undefined;
  return name ?? (extension ? `${title}.${extension}` : title);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
