import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Day, RelativeTime } from "@/components/ui/time";
import type { Key } from "@/lib/keys/schema";
import { BudgetSummary } from "./budget";
import { KeyName, ModeBadge, ScopesSummary, StatusBadge } from "./key-facts";
import { actionsOf, formatModels, listKnowledge } from "./labels";
import type { ShowDialog } from "./use-dialogs";

/** A key where there is no room for a table. */
export function KeyCard({ apiKey: key, onShow }: { apiKey: Key; onShow: ShowDialog }) {
  return (
    <li className="grid content-start gap-3 rounded-lg border bg-surface p-3.5">
      <div className="flex items-start justify-between gap-3">
        <KeyName apiKey={key} onShow={onShow} />
        <div className="flex gap-1.5">
          <ModeBadge mode={key.mode} />
          <StatusBadge status={key.status} />
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
        <Fact name="Scopes">
          <ScopesSummary apiKey={key} />
        </Fact>
        <Fact name="Knowledge">{listKnowledge(key)}</Fact>
        <Fact name="Models">{formatModels(key)}</Fact>
        <Fact name="Last used">
          {key.last_used_at ? <RelativeTime value={key.last_used_at} /> : "Never"}
        </Fact>
        <Fact name="This month">
          <BudgetSummary apiKey={key} />
        </Fact>
        <Fact name="Created">
          <Day value={key.created_at} />
        </Fact>
        <Fact name="Expires">{key.expires_at ? <Day value={key.expires_at} /> : "Never"}</Fact>
      </dl>
      <div className="-mb-1.5 flex gap-1 border-t pt-2 [&_button]:first:-ml-2.5">
        <Button size="sm" variant="ghost" onClick={() => onShow({ kind: "details", id: key.id })}>
          Details<span className="sr-only"> of {key.name}</span>
        </Button>
        {actionsOf(key).map(({ kind, name }) => (
          <Button key={kind} size="sm" variant="ghost" onClick={() => onShow({ kind, id: key.id })}>
            {name}
            <span className="sr-only"> {key.name}</span>
          </Button>
        ))}
      </div>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
