import { shorten } from "@/lib/text/shorten";

/** A longer heading, or title in a vector, adds nothing to what a passage is about. */
export const MAX_HEADING = 200;
const MAX_TITLE = 120;

/** Sources of a document's title, best first. */
interface TitleSources {
  /** The caller's. */
  title: string | null;
  /** From the document's properties or its first heading. */
  own: string | null;
  /** The file's name. */
  name: string | null;
  text: string;
}

/** Characters that turn the writing direction or don't show: a title must read as it is. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** The caller's title without such characters, or one line from the document, its file's name or its text. */
export function resolveTitle({ title, own, name, text }: TitleSources): string {
  const firstLine = /\S.*/.exec(text)?.[0] ?? "";
  const sources = [own ?? "", (name ?? "").replace(/\.[^.]+$/, ""), firstLine];
  const found = sources.map(toLine).find((source) => /[\p{L}\p{N}]/u.test(source));
  return withoutInvisible(title ?? "").trim() || found || "Untitled document";
}

/** The text that a passage is indexed as. The document's title and the headings name its subject. */
export function embeddingText(
  title: string,
  chunk: { headings: readonly string[]; text: string },
): string {
  return [clip(title, MAX_HEADING), ...chunk.headings, chunk.text].join("\n");
}

/** The text a passage is found by its words with: its title counts three times. */
export function lexicalText(
  title: string,
  chunk: { headings: readonly string[]; text: string },
): string {
  const short = clip(title, MAX_HEADING);
  return [short, short, embeddingText(title, chunk)].join("\n");
}

/** The first characters of a text, without half a surrogate pair at the end. */
export function clip(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

function toLine(text: string): string {
  const line = withoutInvisible(text)
    .replaceAll("\0", "")
    .toWellFormed()
    .replace(/\s+/g, " ")
    .trim();
  return shorten(line, MAX_TITLE);
}
