import { clip } from "./clip";

const LONGEST_TITLE = 120;

/** What tells of a document's title, the most telling first. */
export interface TitleSources {
  /** The caller's. */
  title: string | null;
  /** The document's own: of its properties or its first heading. */
  own: string | null;
  /** Of the file. */
  name: string | null;
  text: string;
}

/** The caller's title as it is; else one line of the document's own, its file's name or its first line. */
export function resolveTitle({ title, own, name, text }: TitleSources): string {
  const sources = [own ?? "", (name ?? "").replace(/\.[^.]+$/, ""), firstLine(text)];
  const found = sources.map(tidy).find((source) => /[\p{L}\p{N}]/u.test(source));
  return title ?? (found || "Untitled document");
}

function firstLine(text: string): string {
  return /\S.*/.exec(text)?.[0] ?? "";
}

function tidy(text: string): string {
  const line = text.replaceAll("\0", "").toWellFormed().replace(/\s+/g, " ").trim();
  return clip(line, LONGEST_TITLE).trim();
}
