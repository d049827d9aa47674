import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { cursorPages, fetchJson } from "@/lib/fetch-json";
import { type KeyFilter, keyFilterQuery } from "./filter";
import type { CreateKey, Key, KeyPage, RotateKey, UpdateKey } from "./schema";

const LISTS = ["keys", "list"] as const;

const createdKey = async () => (await import("./schema")).CreatedKey;
const firstKey = async () => (await import("./schema")).FirstKey;
const keySchema = async () => (await import("./schema")).Key;

/** The account's keys that match a filter, newest first. */
export function keysQuery(filter: KeyFilter) {
  const search = keyFilterQuery(filter);
  return infiniteQueryOptions({
    queryKey: [...LISTS, search],
    ...cursorPages("/api/keys", async () => (await import("./schema")).KeyPage, search),
  });
}

export function keyQuery(id: string) {
  return queryOptions({
    queryKey: ["keys", "one", id],
    queryFn: ({ signal }) => fetchJson(pathOf(id), { schema: keySchema, signal }),
  });
}

type Keys = InfiniteData<KeyPage, string | null>;

export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateKey) => fetchJson("/api/keys", { schema: createdKey, body: input }),
    // The response contains the secret: drop it when the dialog that shows it closes.
    gcTime: 0,
    onSuccess: ({ key }) => {
      client.setQueryData<Keys>(keysQuery({}).queryKey, (keys) => addFirst(keys, key));
      // Whether it matches their filters, only the server knows.
      void client.invalidateQueries({ queryKey: LISTS, predicate: isFiltered });
    },
  });
}

/**
 * Creates the test key of a new account, once for each visit of the page. A query rather than a mutation, so that
 * rendering twice doesn't ask twice.
 */
export const firstKeyQuery = queryOptions({
  queryKey: ["keys", "first"],
  queryFn: () => fetchJson("/api/keys/first", { schema: firstKey, method: "POST" }),
  staleTime: Number.POSITIVE_INFINITY,
  // The response contains the secret: it goes with the page.
  gcTime: 0,
  retry: false,
  refetchOnMount: false,
  refetchOnReconnect: false,
});

export function useUpdateKey(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateKey) => fetchJson(pathOf(id), { schema: keySchema, body: input }),
    onSuccess: (key) => replaceKey(client, key),
  });
}

export function useRotateKey(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: RotateKey) =>
      fetchJson(`${pathOf(id)}/rotate`, { schema: createdKey, body: input }),
    // The response contains the secret.
    gcTime: 0,
    onSuccess: ({ key }) => replaceKey(client, key),
  });
}

export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`${pathOf(id)}/revoke`, { schema: keySchema, method: "POST" }),
    onSuccess: (key) => replaceKey(client, key),
  });
}

function pathOf(id: string): string {
  return `/api/keys/${encodeURIComponent(id)}`;
}

function isFiltered({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey.at(-1) !== "";
}

function addFirst(keys: Keys | undefined, key: Key): Keys | undefined {
  return (
    keys && {
      ...keys,
      pages: keys.pages.map((page, index) =>
        index === 0 ? { ...page, data: [key, ...page.data] } : page,
      ),
    }
  );
}

/** In place, also in lists whose filter it no longer matches, so that a row doesn't vanish under the pointer. */
function replaceKey(client: QueryClient, changed: Key): void {
  client.setQueryData(keyQuery(changed.id).queryKey, changed);
  client.setQueriesData<Keys>({ queryKey: LISTS }, (keys) =>
    keys
      ? {
          ...keys,
          pages: keys.pages.map((page) => ({
            ...page,
            data: page.data.map((key) => (key.id === changed.id ? changed : key)),
          })),
        }
      : keys,
  );
}
