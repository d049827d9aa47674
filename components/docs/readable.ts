import { Readable } from "node:stream";
import { Download } from "@/lib/platform/http/download";
import type { Gate } from "@/lib/platform/http/route";

/** Any origin may read it, and browsers display it instead of downloading it. */
export const anyReader: Gate<undefined> = async () => ({
  ctx: undefined,
  headers: { "content-disposition": "inline" },
});

export function readable(text: string, mediaType: "text/plain" | "text/markdown"): Download {
  return new Download(Readable.from([text]), {
    name: mediaType === "text/plain" ? "page.txt" : "page.md",
    mediaType: `${mediaType}; charset=utf-8`,
  });
}
