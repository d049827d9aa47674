"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { FileSearch, FileText } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { EmptyState, ErrorNotice, ErrorState } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { type LibraryFilter, libraryQuery } from "@/lib/documents/client";
import type { LibraryPage } from "@/lib/documents/library-schema";
import { ListSkeleton } from "./documents-skeleton";
import { FilterBar } from "./filter-bar";
import { MoreDocuments } from "./more-documents";
import { useDeletion } from "./use-deletion";
import { useFilter } from "./use-filter";

// The server draws it; what keeps a long one short comes after the page.
const DocumentList = lazy(async () => ({
  default: (await import("./document-list")).DocumentList,
}));
// Fetched when it is first opened.
const DeleteDialog = lazy(async () => ({
  default: (await import("./delete-dialog")).DeleteDialog,
}));

interface LibraryProps {
  /** What the server read, and for which filter. */
  initial: { page: LibraryPage; filter: LibraryFilter };
  sourceTypes: readonly string[];
}

/** The member's documents, and all that can be done with them. */
export function Library({ initial, sourceTypes }: LibraryProps) {
  const [filter, setFilter] = useFilter();
  const query = useLibrary(filter, initial);
  const { asked, list, ask, close, finish, onCloseAutoFocus } = useDeletion<HTMLElement>();
  const documents = query.data?.pages.flatMap((page) => page.data);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <section
      ref={list}
      tabIndex={-1}
      aria-label="Your documents"
      className="grid gap-4 outline-none"
    >
      {(isFiltered || (documents && documents.length > 0)) && (
        <FilterBar filter={filter} onChange={setFilter} sourceTypes={sourceTypes} />
      )}
      {query.isRefetchError && (
        <ErrorNotice
          title="This list may be out of date."
          description={query.error.message}
          onRetry={() => query.refetch()}
          isRetrying={query.isRefetching}
        />
      )}
      <div aria-busy={query.isPlaceholderData} className="grid gap-4 aria-busy:opacity-60">
        {documents ? (
          <Documents
            documents={documents}
            hasMore={query.hasNextPage}
            isFiltered={isFiltered}
            onClear={() => setFilter({})}
            onDelete={ask}
            end={<MoreDocuments query={query} count={documents.length} />}
          />
        ) : (
          <Unread query={query} />
        )}
      </div>
      <Suspense>
        {asked && (
          <DeleteDialog
            document={asked}
            onDeleted={finish}
            onClose={close}
            onCloseAutoFocus={onCloseAutoFocus}
          />
        )}
      </Suspense>
    </section>
  );
}

function useLibrary(filter: LibraryFilter, initial: LibraryProps["initial"]) {
  // Only the filter that the server read for: any other is asked for from here.
  const [first] = useState(initial);
  const isFirst = JSON.stringify(filter) === JSON.stringify(first.filter);
  return useInfiniteQuery({
    ...libraryQuery(filter),
    ...(isFirst && { initialData: { pages: [first.page], pageParams: [null] } }),
    placeholderData: keepPreviousData,
  });
}

function Unread({ query }: { query: Pick<ReturnType<typeof useLibrary>, "error" | "refetch"> }) {
  return query.error ? (
    <ErrorState
      title="Your documents could not be read"
      description={query.error.message}
      onRetry={() => void query.refetch()}
    />
  ) : (
    <ListSkeleton />
  );
}

interface DocumentsProps {
  documents: LibraryPage["data"];
  hasMore: boolean;
  isFiltered: boolean;
  onClear: () => void;
  onDelete: (document: LibraryPage["data"][number]) => void;
  /** Waits for the list with it: below less than the list, it would be near and ask for more. */
  end: ReactNode;
}

function Documents({ documents, hasMore, isFiltered, onClear, onDelete, end }: DocumentsProps) {
  if (documents.length > 0) {
    return (
      <Suspense fallback={<ListSkeleton />}>
        <DocumentList documents={documents} hasMore={hasMore} onDelete={onDelete} />
        {end}
      </Suspense>
    );
  }
  return isFiltered ? (
    <EmptyState
      icon={FileSearch}
      title="No document is like this"
      description="Nothing of yours matches all of these filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      icon={FileText}
      title="No documents yet"
      description="Drop a file above, or choose one. Once it is ready, answers can cite it."
      action={null}
    />
  );
}
