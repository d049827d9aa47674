"use client";

import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import type { KeyPage } from "@/lib/keys/schema";
import { ranked } from "./rank";

/** From how many letters on documents and keys are searched. */
const LEAST_LETTERS = 2;
const TYPING_MS = 200;
const SHOWN = 5;
const PAGE_KEYS = 100;
/** The door of the keys has no filter, so they are read and searched here; nobody waits for more than these. */
const MOST_PAGES = 5;

type Key = KeyPage["data"][number];

const FRESH = {
  // What was made a moment ago is found too; meanwhile what was found the last time is shown.
  staleTime: 0,
  // The next letter asks again; until then it says at once that something is wrong.
  retry: false,
};

/** Asks once the typing pauses: the next letter ends what it would have asked for. */
function documentsQuery(title: string) {
  return queryOptions({
    queryKey: ["documents", "list", "palette", title],
    queryFn: async ({ signal }) => {
      await pause(TYPING_MS, signal);
      const search = new URLSearchParams({ title, limit: String(SHOWN) });
      const { data } = await fetchJson(`/api/documents?${search}`, {
        schema: async () => (await import("@/lib/documents/library-schema")).LibraryPage,
        signal,
      });
      return data;
    },
    ...FRESH,
  });
}

const keysQuery = queryOptions({
  queryKey: ["palette", "keys"],
  queryFn: async ({ signal }) => {
    const keys: Key[] = [];
    let after: string | null = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const read: KeyPage = await readKeys(after, signal);
      keys.push(...read.data);
      after = read.next_cursor;
      if (after === null) {
        break;
      }
    }
    return keys;
  },
  ...FRESH,
});

function readKeys(after: string | null, signal: AbortSignal): Promise<KeyPage> {
  const search = new URLSearchParams({ limit: String(PAGE_KEYS), ...(after && { after }) });
  return fetchJson(`/api/keys?${search}`, {
    schema: async () => (await import("@/lib/keys/schema")).KeyPage,
    signal,
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** The documents by title and the keys by name that a text finds. */
export function useFindings(text: string) {
  const asked = text.trim();
  const enabled = asked.length >= LEAST_LETTERS;
  const documents = useQuery({
    ...documentsQuery(asked),
    enabled,
    placeholderData: keepPreviousData,
  });
  const keys = useQuery({ ...keysQuery, enabled });
  const failed = [documents, keys].filter(({ isError }) => isError);
  return {
    documents: enabled ? stillFound(documents.data ?? [], asked) : [],
    keys: enabled ? findKeys(keys.data ?? [], asked) : [],
    isSearching: enabled && (isOnItsWay(documents) || isOnItsWay(keys)),
    failure: enabled ? (failed[0]?.error?.message ?? null) : null,
    retry: () => {
      for (const query of failed) {
        void query.refetch();
      }
    },
  };
}

function isOnItsWay(query: { isPending: boolean; isPlaceholderData: boolean }): boolean {
  return query.isPending || query.isPlaceholderData;
}

/** Until the answer for a longer text is there, what of the shorter one's still fits; judged as the server does. */
function stillFound<T extends { title: string }>(documents: readonly T[], text: string): T[] {
  return documents.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
}

/** By name, or by the end of the secret as it stands in lists; keys that work come first. */
export function findKeys<T extends Pick<Key, "name" | "display" | "status">>(
  keys: readonly T[],
  text: string,
): T[] {
  const byName = ranked(keys, text);
  const byEnd = keys.filter((key) => !byName.includes(key) && key.display.endsWith(text));
  return [...byName, ...byEnd]
    .toSorted((a, b) => Number(b.status === "usable") - Number(a.status === "usable"))
    .slice(0, SHOWN);
}
