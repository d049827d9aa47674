import "server-only";

import { AppError } from "@/lib/errors";
import { Download } from "@/lib/platform/http/download";
import { FORMATS } from "@/lib/reading/formats";
import type { Reader } from "./collections";
import type { PageParams, PageQuery } from "./page-schema";
import { drawPage } from "./processes/page-images";
import { getOriginal, type Original, readOriginal } from "./read/originals";

/** A page of a PDF as a PNG. Throws not_found, original_not_stored, page_not_available, and as `drawPage` does. */
export async function sendPage(
  ctx: Reader,
  { id, page }: PageParams,
  { width }: PageQuery,
): Promise<Download> {
  const original = await getOriginal(ctx, id);
  if (original.mediaType !== FORMATS.pdf.mediaTypes[0]) {
    throw new AppError(
      "page_not_available",
      "Only pages of PDF documents are available as images. Read the document's text at /text, or its file at /content.",
      { param: "id" },
    );
  }
  const png = await drawPage(
    { key: `${id}/${original.hash}`, page, width },
    { accountId: ctx.account.id, signal: ctx.signal, load: () => loadFile(original) },
  );
  return new Download(once(png), {
    mediaType: "image/png",
    headers: { "content-length": String(png.byteLength) },
  });
}

/** A buffer of its own, which can be transferred to a thread. */
async function loadFile(original: Original): Promise<Uint8Array> {
  const file = new Uint8Array(original.bytes);
  let at = 0;
  for await (const slice of readOriginal(original)) {
    file.set(slice, at);
    at += slice.byteLength;
  }
  return file;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
