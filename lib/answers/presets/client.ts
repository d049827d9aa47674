import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { cursorPages, fetchJson } from "@/lib/fetch-json";

const LIST = ["presets"];

export const presetsQuery = infiniteQueryOptions({
  queryKey: LIST,
  ...cursorPages("/api/presets", async () => (await import("./schema")).PresetPage),
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
