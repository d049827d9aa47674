import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";

const LIST = ["presets"];

export const presetsQuery = infiniteQueryOptions({
  queryKey: LIST,
  queryFn: ({ pageParam, signal }) =>
    fetchJson(`/api/presets${pageParam ? `?${new URLSearchParams({ after: pageParam })}` : ""}`, {
      schema: async () => (await import("./schema")).PresetPage,
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

interface SavedPreset {
  /** Null creates it. */
  id: string | null;
  name: string;
  model: string;
  citations: Record<string, unknown>;
}

export function useSavePreset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name, model, citations }: SavedPreset) =>
      fetchJson(id ? `/api/presets/${encodeURIComponent(id)}` : "/api/presets", {
        schema: async () => (await import("./schema")).Preset,
        body: id ? { citations } : { name, model, citations },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: LIST }),
  });
}

export function useDeletePreset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`/api/presets/${encodeURIComponent(id)}`, {
        schema: async () => (await import("./schema")).DeletedPreset,
        method: "DELETE",
      }),
    onSettled: () => client.invalidateQueries({ queryKey: LIST }),
  });
}
