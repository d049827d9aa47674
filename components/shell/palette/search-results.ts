"use client";

import {
  keepPreviousData,
  queryOptions,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import type { Key, KeyPage } from "@/lib/money/keys/schema";
import type { Theme } from "../theme";
import {
  documentEntry,
  type EntryGroup,
  guideEntries,
  idEntries,
  keyEntry,
  siteGroups,
  staticGroups,
} from "./entries";
import { OPTIONS, pause } from "./query-options";
import { rank, scoreOf } from "./rank";

/** Shorter texts do not search documents and keys. */
const MIN_LETTERS = 2;
const MAX_RESULTS = 5;
const PAGE_KEYS = 100;
/** The keys endpoint has no filter, so keys are loaded and searched here, up to this many. */
const MAX_KEYS = 500;
/** From this score on, typed words start words of the name; a better match does not move a whole group up. */
const GOOD_SCORE = 4;

function documentsQuery(title: string) {
  return queryOptions({
    queryKey: ["documents", "list", "palette", title],
    queryFn: async ({ signal }) => {
      await pause(signal);
      const search = new URLSearchParams({ title, limit: String(MAX_RESULTS) });
      const { data } = await fetchJson(`/api/documents?${search}`, {
        schema: async () => (await import("@/lib/library/documents/library-schema")).LibraryPage,
        signal,
      });
      return data;
    },
    ...OPTIONS,
  });
}

const keysQuery = queryOptions({
  queryKey: ["palette", "keys"],
  queryFn: async ({ signal }) => {
    const keys: Key[] = [];
    let after: string | null = "";
    while (after !== null && keys.length < MAX_KEYS) {
      const search: URLSearchParams = new URLSearchParams({
        limit: String(PAGE_KEYS),
        ...(after && { after }),
      });
      const found: KeyPage = await fetchJson(`/api/keys?${search}`, {
        schema: async () => (await import("@/lib/money/keys/schema")).KeyPage,
        signal,
      });
      keys.push(...found.data);
      after = found.next_cursor;
    }
    return keys;
  },
  ...OPTIONS,
});

/** The palette's entries for a text, by group. Results from the server come last, so that they move nothing. */
export function useSearchResults(text: string, theme: Theme) {
  const title = text.trim();
  const enabled = title.length >= MIN_LETTERS;
  const documents = useQuery({
    ...documentsQuery(title),
    enabled,
    placeholderData: keepPreviousData,
  });
  const keys = useQuery({ ...keysQuery, enabled });
  const docs = useDocHits(title, enabled);
  const queries = enabled ? [documents, keys, docs] : [];
  const foundKeys = enabled ? findKeys(keys.data ?? [], title) : [];
  // Previous results stay if they match the longer text too, by the server's rule.
  const foundDocuments = (enabled && documents.data ? documents.data : []).filter((document) =>
    document.title.toLowerCase().includes(title.toLowerCase()),
  );
  const groups = [
    { name: "By ID", entries: idEntries(title) },
    ...rankGroups(staticGroups(theme), text),
    { name: "Your keys", entries: foundKeys.map(keyEntry) },
    { name: "Your documents", entries: foundDocuments.map(documentEntry) },
    { name: "In the documentation", entries: enabled ? guideEntries(docs.data ?? []) : [] },
  ];
  return summarize(groups, queries);
}

/** The entries for a visitor: the site's pages and the documentation. */
export function useSiteResults(text: string) {
  const title = text.trim();
  const enabled = title.length >= MIN_LETTERS;
  const docs = useDocHits(title, enabled);
  const groups = [
    ...rankGroups(siteGroups(), text),
    { name: "In the documentation", entries: enabled ? guideEntries(docs.data ?? []) : [] },
  ];
  return summarize(groups, enabled ? [docs] : []);
}

/** What a search found so far. */
export type PaletteResults = ReturnType<typeof summarize>;

type SearchQuery = Pick<
  UseQueryResult,
  "isError" | "isPending" | "isPlaceholderData" | "error" | "refetch"
>;

function summarize(all: readonly EntryGroup[], queries: readonly SearchQuery[]) {
  const groups = all.filter(({ entries }) => entries.length > 0);
  const failed = queries.filter(({ isError }) => isError);
  return {
    groups,
    count: groups.reduce((sum, { entries }) => sum + entries.length, 0),
    isSearching: queries.some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData),
    failure: failed[0]?.error?.message ?? null,
    retry: () => {
      for (const query of failed) {
        void query.refetch();
      }
    },
  };
}

/** Groups with a good match come first; otherwise they keep their order. */
function rankGroups(groups: readonly EntryGroup[], text: string): readonly EntryGroup[] {
  const best = ({ entries: [first] }: EntryGroup) =>
    Math.min(first ? scoreOf(first, text) : 0, GOOD_SCORE);
  return groups
    .map(({ name, entries }) => ({ name, entries: rank(entries, text) }))
    .toSorted((a, b) => best(b) - best(a));
}

/** Keys by name, or by the visible end of the secret; active keys come first. */
export function findKeys<T extends Pick<Key, "name" | "display" | "status">>(
  keys: readonly T[],
  text: string,
): T[] {
  const byName = rank(keys, text);
  const byEnd = keys.filter((key) => !byName.includes(key) && key.display.endsWith(text));
  return [...byName, ...byEnd]
    .toSorted((a, b) => Number(b.status === "usable") - Number(a.status === "usable"))
    .slice(0, MAX_RESULTS);
}

/** Asked when the palette opens: a server makes its index on the first search, while the reader is still typing. */
const FIRST = "documentation";

/** What the documentation has for a text, once it is long enough. */
function useDocHits(text: string, enabled: boolean) {
  useQuery({ ...docsQuery(FIRST), staleTime: Number.POSITIVE_INFINITY });
  return useQuery({ ...docsQuery(text), enabled, placeholderData: keepPreviousData });
}

/** The documentation that has a text's words: pages, sections, operations and error codes. */
function docsQuery(query: string) {
  return queryOptions({
    queryKey: ["docs", "search", query],
    queryFn: async ({ signal }) => {
      await pause(signal);
      const { data } = await fetchJson(`/api/docs/search?${new URLSearchParams({ query })}`, {
        schema: async () => (await import("@/components/docs/search-schema")).DocHits,
        signal,
      });
      return data;
    },
    ...OPTIONS,
  });
}
