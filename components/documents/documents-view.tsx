"use client";

import { useSearchParams } from "next/navigation";
import { lazy, Suspense, useEffect, useState } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { Tabs } from "@/components/ui/tabs";
import type { LibraryFilter } from "@/lib/library/documents/client";
import type { LibraryPage } from "@/lib/library/documents/library-schema";
import { DOCUMENTS_PAGE } from "./labels";
import { Library } from "./library";
import { useSearchPanel } from "./search-form";
import { UploadArea } from "./upload-area";

// Most visits look at the list.
const SearchPanel = lazy(async () => ({ default: (await import("./search-panel")).SearchPanel }));

interface DocumentsViewProps {
  initial: { page: LibraryPage; filter: LibraryFilter };
  sourceTypes: readonly string[];
  /** The upload limit. */
  maxBytes: number;
  /** The price of a search, in US dollars. */
  searchUsd: string;
}

export function DocumentsView({ initial, sourceTypes, maxBytes, searchUsd }: DocumentsViewProps) {
  const search = useSearchPanel();
  const uploadRequests = useUploadRequests();
  const library = (
    <UploadArea maxBytes={maxBytes} isRequested={uploadRequests > 0}>
      <Library initial={initial} sourceTypes={sourceTypes} />
    </UploadArea>
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
