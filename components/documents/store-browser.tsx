import type { UseQueryResult } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { Listbox } from "@/components/ui/listbox";
import { useDialog } from "@/components/ui/use-dialog";
import { cn } from "@/lib/cn";
import type { LibraryFilter } from "@/lib/library/documents/client";
import type { LibraryStore, LibraryStoreList } from "@/lib/library/documents/store-schema";
import { StoreFacts } from "./store-facts";
import { choicesOf, filterFor, matching, type StoreChoice, type StoreDialog } from "./store-names";
import { StoreSearch } from "./store-search";

const StoreDialogs = lazy(async () => ({
  default: (await import("./store-dialogs")).StoreDialogs,
}));

interface StoreBrowserProps {
  query: UseQueryResult<LibraryStoreList>;
  filter: LibraryFilter;
  onChange: (filter: LibraryFilter) => void;
  /** The chosen store's documents. */
  children: ReactNode;
}

/** The vector stores beside the documents of the chosen one; a select where there is little room. */
export function StoreBrowser({ query, filter, onChange, children }: StoreBrowserProps) {
  const dialog = useDialog<StoreDialog>();
  const stores = query.data?.data ?? [];
  const chosenId = filter.store ?? filter.scope ?? "";
  const chosen = stores.find(({ id }) => id === chosenId);
  const choose = (id: string) => onChange(filterFor(id, filter));
  const create = () => dialog.show({ kind: "save", store: null });
  const props = { choices: choicesOf(stores), value: chosenId, onChange: choose };
  return (
    <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <nav
        ref={dialog.fallback}
        tabIndex={-1}
        aria-label="Vector stores"
        className="grid min-w-0 gap-2 outline-none max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-end lg:sticky lg:top-14 lg:pt-2"
      >
        <Listbox
          label="Vector store"
          options={props.choices.map(({ id, name, group }) => ({ value: id, name, group }))}
          value={chosenId}
          onChange={choose}
          className="lg:hidden"
        />
        <StoreList {...props} />
        <Button onClick={create} className="max-lg:h-9 lg:justify-self-start">
          <Plus aria-hidden />
          New store
        </Button>
        {!stores.some(isOwn) && (
          <p className="text-muted text-xs max-lg:col-span-2">
            A vector store groups documents, so that searches and API keys can be limited to them.
          </p>
        )}
      </nav>
      <div className="grid min-w-0 gap-4">
        <StaleNotice query={query} />
        {chosen && <StoreFacts store={chosen} onShow={dialog.show} />}
        {filter.store && !chosen && query.isSuccess && (
          <p className="rounded-lg bg-sunken px-4 py-3">
            This store was deleted, or isn’t yours. Choose another one.
          </p>
        )}
        {children}
      </div>
      <Suspense>
        {dialog.open && (
          <StoreDialogs
            dialog={dialog.open}
            onSaved={(id) => {
              dialog.close();
              choose(id);
            }}
            onDeleted={() => {
              dialog.finish();
              onChange({});
            }}
            {...dialog.handlers}
          />
        )}
      </Suspense>
    </div>
  );
}

function isOwn({ id }: LibraryStore): boolean {
  return id.startsWith("vs_");
}

interface StoreListProps {
  choices: readonly StoreChoice[];
  value: string;
  onChange: (id: string) => void;
}

function StoreList({ choices, value, onChange }: StoreListProps) {
  const [search, setSearch] = useState("");
  const shown = matching(choices, search);
  return (
    <div className="hidden gap-2 lg:grid">
      <StoreSearch count={choices.length} value={search} onChange={setSearch} />
      <ul className="-mx-1 grid max-h-[60vh] gap-px overflow-y-auto p-1">
        {shown.map(({ id, name, files, isExpired }) => (
          <li key={id} className="min-w-0">
            <button
              type="button"
              aria-current={id === value || undefined}
              title={name}
              onClick={() => onChange(id)}
              className={cn(
                "flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left hover:bg-sunken",
                id === value && "bg-accent-soft font-medium text-accent",
              )}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {isExpired && <span className="text-muted text-xs">Expired</span>}
              {files !== null && (
                <span className="text-muted text-xs tabular-nums">
                  <span className="sr-only">, files: </span>
                  {files.toLocaleString("en-US")}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p role="status" className="px-1 text-muted text-xs">
          No matching stores
        </p>
      )}
    </div>
  );
}
