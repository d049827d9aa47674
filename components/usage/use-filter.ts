"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { filterQuery, readFilter, type UsageFilter } from "@/lib/usage/filter";

interface FilterInUse {
  filter: UsageFilter;
  /** Changes part of the filter; `undefined` removes a field. The Back button undoes it. */
  change: (changes: UsageFilter) => void;
  clear: () => void;
}

/** The page's filter, stored only in the URL. */
export function useFilter(): FilterInUse {
  const search = useSearchParams().toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(search)), [search]);
  return {
    filter,
    change: (changes) => go({ ...filter, ...changes }),
    clear: () => go({}),
  };
}

/** Updates the URL without a server round trip; the queries fetch what changed. */
function go(filter: UsageFilter): void {
  const query = filterQuery(filter);
  window.history.pushState(null, "", query ? `?${query}` : window.location.pathname);
}
