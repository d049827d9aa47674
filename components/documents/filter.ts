import type { LibraryFilter } from "@/lib/library/documents/client";
import { FORMATS } from "@/lib/reading/formats";
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
    scope: oneOf(SCOPE_LABELS, "scope").replace("public_kb", ""),
    store: /^vs_[0-9a-z]+$/.test(text("store")) ? text("store") : "",
    status: oneOf(STATUS_LABELS, "status"),
    format: oneOf(FORMATS, "format"),
    source_type: text("source_type").slice(0, MAX_SOURCE_TYPE),
    title: text("title").slice(0, MAX_TITLE).toWellFormed(),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
}
