import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import type { CreateKey, Key, KeyPage, RotateKey, UpdateKey } from "./schema";

/** The account's keys, newest first. */
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

export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateKey) => fetchJson("/api/keys", { schema: createdKey, body: input }),
    // The response contains the secret: drop it when the dialog that shows it closes.
    gcTime: 0,
    onSuccess: ({ key }) =>
      changePages(client, (page, index) =>
        index === 0 ? { ...page, data: [key, ...page.data] } : page,
      ),
  });
}

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

async function createdKey() {
  return (await import("./schema")).CreatedKey;
}

async function keySchema() {
  return (await import("./schema")).Key;
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
