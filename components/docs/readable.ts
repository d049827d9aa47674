import { Download } from "@/lib/http/download";
import type { Gate } from "@/lib/http/route";

/** Lets everybody in, and lets browsers show the text instead of keeping it as a file. */
export const anyReader: Gate<undefined> = async () => ({
  ctx: undefined,
  headers: { "content-disposition": "inline" },
});

/** A text for programs and people to read as it is. */
export function readable(text: string, mediaType: "text/plain" | "text/markdown"): Download {
  return new Download(once(text), {
    name: mediaType === "text/plain" ? "page.txt" : "page.md",
    mediaType: `${mediaType}; charset=utf-8`,
  });
}

async function* once(text: string): AsyncIterable<string> {
  yield text;
}
