import type { LibraryFilter } from "@/lib/documents/client";
import { FORMATS } from "@/lib/documents/formats";
import { SCOPE_LABELS, STATUS_LABELS } from "./labels";

const MAX_TITLE = 200;
const MAX_SOURCE_TYPE = 64;

/** Reads the filter from a URL's query, dropping unknown values. */
export function toLibraryFilter(
  search: Record<string, string | string[] | undefined>,
): LibraryFilter {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" ? value.replaceAll("\0", "").trim() : "";
  };
  const oneOf = (values: object, name: string) =>
    Object.hasOwn(values, text(name)) ? text(name) : "";
  const filter = {
    scope: knownIn(SCOPE_LABELS, one("scope")),
    status: knownIn(STATUS_LABELS, one("status")),
    format: knownIn(FORMATS, one("format")),
    source_type: one("source_type").slice(0, LONGEST.source_type),
    title: one("title").slice(0, LONGEST.title).toWellFormed(),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
}
