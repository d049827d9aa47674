import type { LibraryFilter } from "@/lib/documents/client";
import { FORMAT_LABELS, SCOPE_LABELS, STATUS_LABELS } from "./labels";

type Search = Record<string, string | string[] | undefined>;

const LONGEST = { title: 200, source_type: 64 };

/** What an address narrows the list down to; what makes no sense is left out. */
export function filterOf(search: Search): LibraryFilter {
  const one = (name: string) => {
    const value = search[name];
    return typeof value === "string" ? value.replaceAll("\0", "").trim() : "";
  };
  const filter = {
    scope: knownIn(SCOPE_LABELS, one("scope")),
    status: knownIn(STATUS_LABELS, one("status")),
    format: knownIn(FORMAT_LABELS, one("format")),
    source_type: one("source_type").slice(0, LONGEST.source_type),
    title: one("title").slice(0, LONGEST.title).toWellFormed(),
  };
  return Object.fromEntries(
    Object.entries(filter).filter(
      ([name, value]) => value && !(name === "scope" && value === "public_kb"),
    ),
  );
}

function knownIn(words: object, value: string): string {
  return Object.hasOwn(words, value) ? value : "";
}
