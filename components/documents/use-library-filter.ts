import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { LibraryFilter } from "@/lib/library/documents/client";
import { toLibraryFilter } from "./filter";

/** The filter of the list, with the chosen store or knowledge base. It exists only in the URL. */
export function useLibraryFilter(): [LibraryFilter, (filter: LibraryFilter) => void] {
  const search = useSearchParams().toString();
  const filter = useMemo(
    () => toLibraryFilter(Object.fromEntries(new URLSearchParams(search))),
    [search],
  );
  // Next picks up the new URL without requesting the page again.
  const setFilter = (next: LibraryFilter) => {
    const query = new URLSearchParams(next).toString();
    window.history.replaceState(null, "", query ? `?${query}` : window.location.pathname);
  };
  return [filter, setFilter];
}
