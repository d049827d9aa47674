import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { RelativeTime } from "@/components/ui/time";
import { formatCount } from "@/lib/format-count";
import type { LibraryStore } from "@/lib/library/documents/store-schema";
import { formatSize, SCOPE_LABELS } from "./labels";
import { type StoreDialog, storeName } from "./store-names";

interface StoreFactsProps {
  store: LibraryStore;
  onShow: (dialog: StoreDialog) => void;
}

/** Facts about the chosen store, and its actions. */
export function StoreFacts({ store, onShow }: StoreFactsProps) {
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
