"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { filterQuery, readFilter, type UsageFilter } from "@/lib/usage/filter";

interface FilterInUse {
  filter: UsageFilter;
  /** Changes some of it, with `undefined` for what is no longer filtered. Back undoes it. */
  change: (changes: UsageFilter) => void;
  clear: () => void;
}

/** The filter of the page, which lives in its address and nowhere else. */
export function useFilter(): FilterInUse {
  const search = useSearchParams().toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(search)), [search]);
  return {
    filter,
    change: (changes) => go({ ...filter, ...changes }),
    clear: () => go({}),
  };
}

/** Next takes the new address up without asking the server for the page again: the queries ask for what changed. */
function go(filter: UsageFilter): void {
  const query = filterQuery(filter);
  window.history.pushState(null, "", query ? `?${query}` : window.location.pathname);
}
