import { clip } from "./clip";
import { isMarkdown } from "./parse";

const HEAD_BYTES = 4096;
const LONGEST_TITLE = 120;

/** What a file's name and first lines tell: its media type, and a title where the caller gave none. */
export function describeText(file: { name: string | null; bytes: Uint8Array }): {
  mediaType: string;
  title: string;
} {
  const head = new TextDecoder().decode(file.bytes.subarray(0, HEAD_BYTES)).replaceAll("\0", "");
  const heading = /^# +(.+)$/m.exec(head)?.[1];
  const firstLine = head.split("\n").find((line) => line.trim());
  const title = heading ?? file.name?.replace(/\.[^.]+$/, "") ?? firstLine ?? "";
  return {
    mediaType: isMarkdown(file.name, head) ? "text/markdown" : "text/plain",
    title:
      clip(title.replaceAll("\0", "").toWellFormed().trim(), LONGEST_TITLE) || "Untitled document",
  };
}
