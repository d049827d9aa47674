"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { LibraryFilter } from "@/lib/documents/client";
import { filterOf } from "./filter";

/** How the list is narrowed down: it lives in the page's address and nowhere else. */
export function useFilter(): [LibraryFilter, (filter: LibraryFilter) => void] {
  const search = useSearchParams().toString();
  const filter = useMemo(() => filterOf(Object.fromEntries(new URLSearchParams(search))), [search]);
  return [filter, go];
}

/** Next takes the new address up without asking the server for the page again. */
function go(filter: LibraryFilter): void {
  const search = new URLSearchParams(filter).toString();
  window.history.replaceState(null, "", search ? `?${search}` : window.location.pathname);
}
