import type { UseQueryResult } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { StaleNotice } from "@/components/shell/state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Listbox } from "@/components/ui/listbox";
import { RelativeTime } from "@/components/ui/time";
import { useDialog } from "@/components/ui/use-dialog";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format-count";
import type { LibraryFilter } from "@/lib/library/documents/client";
import type { LibraryStore, LibraryStoreList } from "@/lib/library/documents/store-schema";
import { formatSize, SCOPE_LABELS } from "./labels";
import {
  choicesOf,
  filterFor,
  matching,
  type StoreChoice,
  type StoreDialog,
  storeName,
} from "./store-names";
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

interface StoreFactsProps {
  store: LibraryStore;
  onShow: (dialog: StoreDialog) => void;
}

/** Facts about the chosen store, and its actions. */
function StoreFacts({ store, onShow }: StoreFactsProps) {
  const { id, scope, file_counts, usage_bytes, last_active_at, keys } = store;
  const isOwn = id !== scope;
  return (
    <section aria-labelledby="store" className="grid gap-1.5 pt-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="store" className="min-w-0 font-semibold text-base [overflow-wrap:anywhere]">
          {storeName(store)}
        </h2>
        {store.status === "expired" && <Badge tone="warning">Expired</Badge>}
        {isOwn && (
          <div className="ml-auto flex gap-2">
            <Button size="sm" onClick={() => onShow({ kind: "save", store })}>
              Rename
            </Button>
            <Button size="sm" onClick={() => onShow({ kind: "delete", store })}>
              Delete store
            </Button>
          </div>
        )}
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
        {isOwn && <span>{SCOPE_LABELS[scope].name}</span>}
        <span>{formatCount(file_counts.total, "file")}</span>
        <span>{formatSize(usage_bytes)}</span>
        {last_active_at !== null && (
          <span>
            Last used: <RelativeTime value={new Date(last_active_at * 1000).toISOString()} />
          </span>
        )}
        <span className="flex items-center gap-1">
          <code className="break-all font-mono">{id}</code>
          <CopyButton text={id} label="Copy store ID" />
        </span>
      </p>
      {keys.length > 0 && (
        <p className="text-xs">
          <span className="text-muted">Keys bound to it: </span>
          {keys.map((key, at) => (
            <span key={key.id}>
              {at > 0 && ", "}
              <Link
                href={`/keys/${key.id}`}
                className="rounded-sm text-accent underline underline-offset-4 [overflow-wrap:anywhere]"
              >
                {key.name}
              </Link>
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
