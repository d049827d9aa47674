import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";

/** A stored answer, or a document with a quote. */
export type LinkTarget = { request_id: string } | { document_id: string; quote: string };

export function linksQuery(target: LinkTarget) {
  const search = new URLSearchParams(target);
  return queryOptions({
    queryKey: ["shared-links", target],
    queryFn: ({ signal }) =>
      fetchJson(`/api/shared-links?${search}`, {
        schema: async () => (await import("./schema")).LinkList,
        signal,
      }),
  });
}

export function useCreateLink(target: LinkTarget) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (days: number | null) =>
      fetchJson("/api/shared-links", {
        schema: async () => (await import("./schema")).SharedLink,
        body: { ...target, expires_in_days: days },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: linksQuery(target).queryKey }),
  });
}

export function useRevokeLink(target: LinkTarget) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`/api/shared-links/${encodeURIComponent(id)}`, {
        schema: async () => (await import("./schema")).LinkRevoked,
        method: "DELETE",
      }),
    onSettled: () => client.invalidateQueries({ queryKey: linksQuery(target).queryKey }),
  });
}
