import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { type KeyFilter, keyFilterQuery, readKeyFilter } from "@/lib/money/keys/filter";

/** The page's filter, stored only in the URL. */
export function useKeyFilter() {
  const search = useSearchParams().toString();
  const filter = useMemo(() => readKeyFilter(new URLSearchParams(search)), [search]);
  const go = (next: KeyFilter) => {
    const query = keyFilterQuery(next);
    window.history.replaceState(null, "", query ? `?${query}` : window.location.pathname);
  };
  return {
    filter,
    /** Changes part of the filter; `undefined` removes a field. */
    change: (changes: KeyFilter) => go({ ...filter, ...changes }),
    clear: () => go({}),
  };
}
