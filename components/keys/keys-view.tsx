"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus, SearchX } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense, useEffect, useEffectEvent, useMemo } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState, LoadError, StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { FilterBar, SearchFilter } from "@/components/ui/filter-bar";
import { Listbox } from "@/components/ui/listbox";
import { ListSkeleton } from "@/components/ui/skeleton";
import { useDialog } from "@/components/ui/use-dialog";
import { keysQuery } from "@/lib/money/keys/client";
import {
  EXPIRING_DAYS,
  KEY_MODES,
  KEY_STATUSES,
  type KeyFilter,
  type KeyStatusFilter,
  keyFilterQuery,
  readKeyFilter,
} from "@/lib/money/keys/filter";
import type { KeyOptions, KeyPage } from "@/lib/money/keys/schema";
import { KeyList } from "./key-list";
import { KEYS_PAGE, type KeyDialogKind, MODE_LABELS, STATUS_LABELS } from "./labels";

// Loaded when the first is opened: the list has to be fast, and most visits only look at it.
const KeyDialogs = lazy(async () => ({ default: (await import("./key-dialogs")).KeyDialogs }));

interface KeysViewProps extends KeyOptions {
  /** The filter that the server fetched the page with. */
  filter: KeyFilter;
  initialPage: KeyPage;
}

export function KeysView({ initialPage, filter: initialFilter, ...options }: KeysViewProps) {
  const { filter, change, clear } = useKeyFilter();
  const isFiltered = keyFilterQuery(filter) !== "";
  const query = useInfiniteQuery({
    ...keysQuery(filter),
    placeholderData: keepPreviousData,
    ...(keyFilterQuery(filter) === keyFilterQuery(initialFilter) && {
      initialData: { pages: [initialPage], pageParams: [null] },
    }),
  });
  const keys = query.data?.pages.flatMap((page) => page.data) ?? [];
  const dialog = useDialog<KeyDialogKind>();
  useOpenFromQuery(() => dialog.show({ kind: "create" }));
  const create = (
    <Button variant="primary" onClick={() => dialog.show({ kind: "create" })}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  const isEmpty = keys.length === 0 && !isFiltered;
  return (
    <>
      <PageHeader {...KEYS_PAGE} actions={!isEmpty && create} />
      <section
        ref={dialog.fallback}
        tabIndex={-1}
        aria-label="Keys"
        className="grid gap-4 outline-none"
      >
        {!isEmpty && <KeyFilters filter={filter} onChange={change} onClear={clear} />}
        <StaleNotice query={query} />
        {query.isPending && <ListSkeleton label="Loading keys" hasHead rowClassName="py-2" />}
        {query.isLoadingError && <LoadError title="We couldn’t load these keys" query={query} />}
        {keys.length > 0 && (
          <div aria-busy={query.isPlaceholderData} className="aria-busy:opacity-60">
            <KeyList keys={keys} onShow={dialog.show} />
          </div>
        )}
        {query.isSuccess && keys.length === 0 && (
          <NoKeys isFiltered={isFiltered} onClear={clear} create={create} />
        )}
        <LoadMore query={query} noun={{ one: "key", many: "keys" }} count={keys.length} />
      </section>
      <Suspense>{dialog.open && <KeyDialogs keys={keys} dialog={dialog} {...options} />}</Suspense>
    </>
  );
}

interface NoKeysProps {
  isFiltered: boolean;
  onClear: () => void;
  create: React.ReactNode;
}

function NoKeys({ isFiltered, onClear, create }: NoKeysProps) {
  return isFiltered ? (
    <EmptyState
      icon={SearchX}
      title="No matching keys"
      description="Try another name, or remove a filter."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      icon={KeyRound}
      title="No keys yet"
      description="A key lets one service call the API. Create one and make your first call with curl."
      action={create}
    />
  );
}

/** Opens the form of a new key when the URL has `?create=1`. */
function useOpenFromQuery(show: () => void): void {
  const isCreate = useSearchParams().get("create") === "1";
  const open = useEffectEvent(() => {
    // Removed from the URL, so that a reload does not open it again.
    window.history.replaceState(null, "", window.location.pathname);
    show();
  });
  useEffect(() => {
    if (isCreate) {
      open();
    }
  }, [isCreate]);
}

const STATUSES: Record<KeyStatusFilter, string> = {
  usable: STATUS_LABELS.usable.name,
  expiring: `Expires within ${EXPIRING_DAYS} days`,
  expired: STATUS_LABELS.expired.name,
  revoked: STATUS_LABELS.revoked.name,
};

interface KeyFiltersProps {
  filter: KeyFilter;
  onChange: (changes: KeyFilter) => void;
  onClear: () => void;
}

function KeyFilters({ filter, onChange, onClear }: KeyFiltersProps) {
  return (
    <FilterBar
      className="sm:flex sm:flex-wrap sm:[&>div]:w-44"
      onClear={keyFilterQuery(filter) ? onClear : null}
    >
      <SearchFilter
        label="Search keys"
        placeholder="Name or last four characters"
        className="col-span-full sm:w-64!"
        value={filter.search ?? ""}
        onChange={(search) => onChange({ search: search || undefined })}
      />
      <Listbox
        label="Mode"
        all="Live and test"
        value={filter.mode ?? ""}
        onChange={(value) => onChange({ mode: KEY_MODES.find((mode) => mode === value) })}
        options={KEY_MODES.map((value) => ({ value, name: MODE_LABELS[value].name }))}
      />
      <Listbox
        label="Status"
        all="Any status"
        value={filter.status ?? ""}
        onChange={(value) => onChange({ status: KEY_STATUSES.find((status) => status === value) })}
        options={KEY_STATUSES.map((value) => ({ value, name: STATUSES[value] }))}
      />
    </FilterBar>
  );
}

/** The page's filter, stored only in the URL. */
function useKeyFilter() {
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
