import { Badge } from "@/components/ui/badge";
import { Day } from "@/components/ui/time";
import type { Key } from "@/lib/keys/schema";
import { MODE_LABELS, STATUS_LABELS } from "./labels";
import type { ShowDialog } from "./use-dialogs";

/** The name, which opens the details, over what may be shown of the secret. */
export function KeyName({ apiKey: key, onShow }: { apiKey: Key; onShow: ShowDialog }) {
  return (
    <div className="grid min-w-0 justify-items-start">
      <button
        type="button"
        className="max-w-full truncate rounded-sm font-medium text-ink underline-offset-4 hover:underline"
        onClick={() => onShow({ kind: "details", id: key.id })}
      >
        {key.name}
      </button>
      <code className="max-w-full truncate font-mono text-muted text-xs">{key.display}</code>
      {key.replaced_secrets.map(({ display, expires_at }) => (
        <span key={display + expires_at} className="max-w-full truncate text-muted text-xs">
          <code className="font-mono">…{display.split("…")[1]}</code> until{" "}
          <Day value={expires_at} />
        </span>
      ))}
    </div>
  );
}

/** The first scope and how many more; all of them on hover, and in the details. */
export function ScopesSummary({ apiKey: key }: { apiKey: Key }) {
  const [first, ...others] = key.scopes;
  if (!first) {
    return "None";
  }
  return (
    <span className="whitespace-nowrap" title={key.scopes.join(", ")}>
      <code className="font-mono text-xs">{first}</code>
      {others.length > 0 && <span className="text-muted"> +{others.length}</span>}
    </span>
  );
}

export function ModeBadge({ mode }: Pick<Key, "mode">) {
  return <Badge tone={MODE_LABELS[mode].tone}>{MODE_LABELS[mode].name}</Badge>;
}

export function StatusBadge({ status }: Pick<Key, "status">) {
  return <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].name}</Badge>;
}
