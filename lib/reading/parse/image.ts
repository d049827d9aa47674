import { countImagePages } from "../ocr/picture";
import type { ParsedFile } from "./block";

/** An image before its text is recognized: pages without text. Throws DocumentError. */
export async function parseImage(bytes: Uint8Array, maxPages: number): Promise<ParsedFile> {
  const pages = await countImagePages(bytes, maxPages);
  return {
    blocks: [],
    title: null,
    pages,
    emptyPages: pages,
    warnings: new Map(),
    scans: Array.from({ length: pages }, (_, index) => index + 1),
  };
}
