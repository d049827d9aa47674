import { useMutation } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import type { ConsoleSearch } from "./schema";

/** A search of the knowledge bases from the console; each one is charged. */
export function useSearch() {
  return useMutation({
    mutationFn: (input: ConsoleSearch) =>
      fetchJson("/api/documents/search", {
        schema: async () => (await import("./schema")).SearchResult,
        method: "POST",
        body: input,
      }),
  });
}
