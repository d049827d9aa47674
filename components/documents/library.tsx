"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { FileSearch, FileText, Folder } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { EmptyState, LoadError, StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { FilterBar, SearchFilter } from "@/components/ui/filter-bar";
import { Listbox } from "@/components/ui/listbox";
import type { ListboxOption } from "@/components/ui/listbox-panel";
import { ListSkeleton } from "@/components/ui/skeleton";
import { useDialog } from "@/components/ui/use-dialog";
import { useInView } from "@/components/ui/use-in-view";
import { type LibraryFilter, libraryQuery } from "@/lib/library/documents/client";
import type { LibraryPage, ListedDocument } from "@/lib/library/documents/library-schema";
import { FORMATS } from "@/lib/reading/formats";
import { BulkBar } from "./bulk-bar";
import { toLibraryFilter } from "./filter";
import { STATUS_LABELS } from "./labels";
import { useSelection } from "./use-selection";
import { uploadingIds, useUploads } from "./use-uploads";

// Rendered on the server; the code for long lists loads after the page.
const DocumentList = lazy(async () => ({
  default: (await import("./document-list")).DocumentList,
}));
// Loaded when first opened.
const DeleteDialog = lazy(async () => ({
  default: (await import("./delete-dialog")).DeleteDialog,
}));
const MembershipDialog = lazy(async () => ({
  default: (await import("./membership-dialog")).MembershipDialog,
}));

const LOADING = <ListSkeleton label="Loading documents" hasHead />;

interface LibraryProps {
  /** What the server loaded, and for which filter. */
  initial: { page: LibraryPage; filter: LibraryFilter };
  sourceTypes: readonly string[];
  filter: LibraryFilter;
  onFilter: (filter: LibraryFilter) => void;
}

export function Library({ initial, sourceTypes, filter, onFilter }: LibraryProps) {
  const query = useLibrary(filter, initial);
  const dialog = useDialog<RowAction>();
  const { uploads } = useUploads();
  const hidden = uploadingIds(uploads);
  // Also until the list is loaded that has the uploaded documents.
  const isUploading = uploads.some(({ state }) => !["rejected", "canceled"].includes(state.at));
  const documents = query.data?.pages
    .flatMap((page) => page.data)
    .filter(({ id }) => !hidden.has(id));
  const place = placeOf(filter);
  const isFiltered = Object.keys(filter).length > Object.keys(place).length;
  const clear = isFiltered ? () => onFilter(place) : null;
  const listed = documents ?? [];
  const selection = useSelection(listed.map(({ id }) => id));
  return (
    <section
      ref={dialog.fallback}
      tabIndex={-1}
      aria-label="Your documents"
      className="grid gap-4 outline-none"
    >
      {(isFiltered || listed.length > 0) && (
        <LibraryFilterBar {...{ filter, sourceTypes }} onChange={onFilter} onClear={clear} />
      )}
      <StaleNotice query={query} />
      <div aria-busy={query.isPlaceholderData} className="grid gap-4 aria-busy:opacity-60">
        {documents && (
          // The end waits for the list: above it, it would be in view and load the next page.
          <Suspense fallback={LOADING}>
            {documents.length > 0 ? (
              <DocumentList
                documents={documents}
                hasMore={query.hasNextPage}
                onShow={(kind, document) => dialog.show({ kind, document })}
                selection={selection}
              />
            ) : (
              <NoDocuments
                isUploading={isUploading}
                onClear={clear}
                onShowAll={filter.store ? () => onFilter({}) : null}
              />
            )}
            <ListEnd query={query} count={documents.length} />
          </Suspense>
        )}
        {selection.ids.length > 0 && (
          <BulkBar
            documents={listed.filter(({ id }) => selection.has(id))}
            onClear={() => selection.setAll([])}
          />
        )}
        {!documents && <NotLoaded query={query} />}
      </div>
      <Suspense>{dialog.open && <RowDialog {...dialog.open} dialog={dialog} />}</Suspense>
    </section>
  );
}

interface RowAction {
  kind: "delete" | "stores";
  document: ListedDocument;
}

interface RowDialogProps extends RowAction {
  dialog: ReturnType<typeof useDialog<RowAction>>;
}

function RowDialog({ kind, document, dialog }: RowDialogProps) {
  return kind === "delete" ? (
    <DeleteDialog document={document} onDeleted={dialog.finish} {...dialog.handlers} />
  ) : (
    <MembershipDialog documents={[document]} onDone={dialog.close} {...dialog.handlers} />
  );
}

function useLibrary(filter: LibraryFilter, initial: LibraryProps["initial"]) {
  // The server loaded data for its own filter only.
  const [first] = useState(initial);
  const isFirst = JSON.stringify(filter) === JSON.stringify(first.filter);
  return useInfiniteQuery({
    ...libraryQuery(filter),
    ...(isFirst && { initialData: { pages: [first.page], pageParams: [null] } }),
    placeholderData: keepPreviousData,
  });
}

function NotLoaded({ query }: { query: ReturnType<typeof useLibrary> }) {
  return query.error ? (
    <LoadError title="We couldn’t load your documents" query={query} />
  ) : (
    LOADING
  );
}

/** Loads the next page when it scrolls into view. */
function ListEnd({ query, count }: { query: ReturnType<typeof useLibrary>; count: number }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const canLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const end = useInView<HTMLDivElement>(canLoad, fetchNextPage);
  return (
    <div ref={end} className="grid gap-4">
      <LoadMore query={query} noun={{ one: "document", many: "documents" }} count={count} />
    </div>
  );
}

interface NoDocumentsProps {
  isUploading: boolean;
  /** Null if no filter is set. */
  onClear: (() => void) | null;
  /** Null if no store is chosen. */
  onShowAll: (() => void) | null;
}

function NoDocuments({ isUploading, onClear, onShowAll }: NoDocumentsProps) {
  if (onClear) {
    return (
      <EmptyState
        icon={FileSearch}
        title="No matching documents"
        description="Try removing a filter."
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  }
  if (isUploading) {
    return null;
  }
  return onShowAll ? (
    <EmptyState
      icon={Folder}
      title="No documents in this store"
      description="Upload files above, or select documents you already have and add them to it."
      action={<Button onClick={onShowAll}>Show all documents</Button>}
    />
  ) : (
    <EmptyState
      icon={FileText}
      title="No documents yet"
      description="Drop or choose a file above. Once it’s ready, answers can cite it."
    />
  );
}

/** The store or knowledge base that a filter names, which is chosen beside the list. */
function placeOf({ store, scope }: LibraryFilter): LibraryFilter {
  return { ...(store && { store }), ...(scope && { scope }) };
}

const SOURCE_TYPE = "source:";

interface LibraryFilterBarProps {
  filter: LibraryFilter;
  sourceTypes: readonly string[];
  onChange: (filter: LibraryFilter) => void;
  onClear: (() => void) | null;
}

function LibraryFilterBar({ filter, sourceTypes, onChange, onClear }: LibraryFilterBarProps) {
  const change = (changes: Record<string, string>) =>
    onChange(toLibraryFilter({ ...filter, ...changes }));
  const type = filter.source_type ? `${SOURCE_TYPE}${filter.source_type}` : (filter.format ?? "");
  return (
    <FilterBar onClear={onClear} className="sm:grid-cols-[minmax(0,1fr)_repeat(2,9rem)]">
      <SearchFilter
        label="Title"
        value={filter.title ?? ""}
        onChange={(title) => change({ title })}
        placeholder="Search titles and file names"
        className="col-span-2 sm:col-span-1"
      />
      <Listbox
        label="Type"
        all="All types"
        value={type}
        onChange={(value) => change(typeOf(value))}
        options={[
          ...optionsOf(FORMATS, "Format"),
          ...sourceTypes.map((name) => ({
            value: `${SOURCE_TYPE}${name}`,
            name,
            group: "Source type",
          })),
        ]}
      />
      <Listbox
        label="Status"
        all="Any status"
        value={filter.status ?? ""}
        onChange={(status) => change({ status })}
        options={optionsOf(STATUS_LABELS)}
      />
    </FilterBar>
  );
}

function typeOf(value: string): Record<string, string> {
  return value.startsWith(SOURCE_TYPE)
    ? { format: "", source_type: value.slice(SOURCE_TYPE.length) }
    : { format: value, source_type: "" };
}

function optionsOf(labels: Record<string, { name: string }>, group?: string): ListboxOption[] {
  return Object.entries(labels).map(([value, { name }]) => ({
    ...{ value, name },
    ...(group && { group }),
  }));
}
