import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import type { CreateKey, Key, KeyPage, RotateKey, UpdateKey } from "./schema";

/** The account's keys, newest first, page by page. */
export const keysQuery = infiniteQueryOptions({
  queryKey: ["keys"],
  queryFn: ({ pageParam, signal }) =>
    fetchJson(pageParam ? `/api/keys?after=${encodeURIComponent(pageParam)}` : "/api/keys", {
      schema: async () => (await import("./schema")).KeyPage,
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

type Keys = InfiniteData<KeyPage, string | null>;

/** Makes a key and puts it at the head of the list. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateKey) =>
      fetchJson("/api/keys", {
        schema: async () => (await import("./schema")).CreatedKey,
        method: "POST",
        body: input,
      }),
    // The answer holds the secret, so nothing keeps it longer than the dialog that shows it.
    gcTime: 0,
    onSuccess: ({ key }) =>
      changePages(client, (page, index) =>
        index === 0 ? { ...page, data: [key, ...page.data] } : page,
      ),
  });
}

/** Changes what may change of the key with this id. */
export function useUpdateKey(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateKey) =>
      fetchJson(pathOf(id), {
        schema: async () => (await import("./schema")).Key,
        method: "POST",
        body: input,
      }),
    onSuccess: (key) => replaceKey(client, key),
  });
}

/** Gives the key with this id a new secret. */
export function useRotateKey(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: RotateKey) =>
      fetchJson(`${pathOf(id)}/rotate`, {
        schema: async () => (await import("./schema")).CreatedKey,
        method: "POST",
        body: input,
      }),
    // As with a new key: the answer holds the secret.
    gcTime: 0,
    onSuccess: ({ key }) => replaceKey(client, key),
  });
}

/** Revokes the key with this id and shows it as revoked in the list. */
export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`${pathOf(id)}/revoke`, {
        schema: async () => (await import("./schema")).Key,
        method: "POST",
      }),
    onSuccess: (key) => replaceKey(client, key),
  });
}

function pathOf(id: string): string {
  return `/api/keys/${encodeURIComponent(id)}`;
}

function replaceKey(client: QueryClient, changed: Key): void {
  changePages(client, (page) => ({
    ...page,
    data: page.data.map((key) => (key.id === changed.id ? changed : key)),
  }));
}

function changePages(client: QueryClient, change: (page: KeyPage, index: number) => KeyPage): void {
  client.setQueryData<Keys>(keysQuery.queryKey, (keys) =>
    keys ? { ...keys, pages: keys.pages.map(change) } : keys,
  );
}
