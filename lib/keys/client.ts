import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import type { CreateKey, KeyPage } from "./schema";

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

/** Revokes the key with this id and shows it as revoked in the list. */
export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`/api/keys/${encodeURIComponent(id)}/revoke`, {
        schema: async () => (await import("./schema")).Key,
        method: "POST",
      }),
    onSuccess: (revoked) =>
      changePages(client, (page) => ({
        ...page,
        data: page.data.map((key) => (key.id === revoked.id ? revoked : key)),
      })),
  });
}

function changePages(client: QueryClient, change: (page: KeyPage, index: number) => KeyPage): void {
  client.setQueryData<Keys>(keysQuery.queryKey, (keys) =>
    keys ? { ...keys, pages: keys.pages.map(change) } : keys,
  );
}
