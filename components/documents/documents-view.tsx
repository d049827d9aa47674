"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { Tabs } from "@/components/ui/tabs";
import { type LibraryFilter, libraryStoresQuery } from "@/lib/library/documents/client";
import type { LibraryPage } from "@/lib/library/documents/library-schema";
import type { LibraryStoreList } from "@/lib/library/documents/store-schema";
import { toLibraryFilter } from "./filter";
import { DOCUMENTS_PAGE } from "./labels";
import { Library } from "./library";
import { useSearchPanel } from "./search-form";
import { StoreBrowser } from "./store-browser";
import { UploadArea } from "./upload-area";

// Most visits look at the list.
const SearchPanel = lazy(async () => ({ default: (await import("./search-panel")).SearchPanel }));

interface DocumentsViewProps {
  initial: { page: LibraryPage; filter: LibraryFilter; stores: LibraryStoreList };
  sourceTypes: readonly string[];
  /** The upload limit. */
  maxBytes: number;
  /** The price of a search, in US dollars. */
  searchUsd: string;
}

export function DocumentsView({ initial, sourceTypes, maxBytes, searchUsd }: DocumentsViewProps) {
  const search = useSearchPanel();
  const uploadRequests = useUploadRequests();
  const [filter, setFilter] = useLibraryFilter();
  const stores = useQuery({ ...libraryStoresQuery(), initialData: initial.stores });
  const store = stores.data.data.find(({ id }) => id === filter.store);
  const library = (
    <StoreBrowser query={stores} filter={filter} onChange={setFilter}>
      <UploadArea
        maxBytes={maxBytes}
        isRequested={uploadRequests > 0}
        scope={
          store ? (store.scope === "personal_kb" ? "personal_kb" : "customer_kb") : filter.scope
        }
        store={store}
      >
        <Library {...{ initial, sourceTypes, filter }} onFilter={setFilter} />
      </UploadArea>
    </StoreBrowser>
  );
  const searchPanel = (
    <Suspense>
      <SearchPanel panel={search} searchUsd={searchUsd} />
    </Suspense>
  );
  return (
    <>
      <PageHeader {...DOCUMENTS_PAGE} />
      {/* A request to upload returns to the first tab. */}
      <Tabs
        key={uploadRequests}
        label="Documents"
        tabs={[
          { id: "library", label: "Documents", content: library },
          { id: "search", label: "Search", content: searchPanel },
        ]}
      />
    </>
  );
}

/** How many times `?upload=1` was in the URL since the page opened. */
function useUploadRequests(): number {
  const isRequested = useSearchParams().get("upload") === "1";
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (isRequested) {
      // Removed from the URL, so that it can be requested again.
      window.history.replaceState(null, "", window.location.pathname);
      setCount((before) => before + 1);
    }
  }, [isRequested]);
  return count;
}

/** The filter of the list, with the chosen store or knowledge base. It exists only in the URL. */
function useLibraryFilter(): [LibraryFilter, (filter: LibraryFilter) => void] {
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
