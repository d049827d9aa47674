import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import { OPTIONS, pause } from "./query-options";

/** Asked when the palette opens: a server makes its index on the first search, while the reader is still typing. */
const FIRST = "documentation";

/** What the documentation has for a text, once it is long enough. */
export function useDocHits(text: string, enabled: boolean) {
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
