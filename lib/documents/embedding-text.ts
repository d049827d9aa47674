import { clip, LONGEST_HEADING } from "./clip";

/** What a passage is indexed as: its document's title and its headings name its subject. */
export function embeddingText(
  title: string,
  chunk: { headings: readonly string[]; text: string },
): string {
  return [clip(title, LONGEST_HEADING), ...chunk.headings, chunk.text].join("\n");
}
