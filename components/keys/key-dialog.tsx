import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { ExactTime, RelativeTime } from "@/components/ui/time";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import type { Key } from "@/lib/keys/schema";
import { ModeBadge, StatusBadge } from "./key-list";
import {
  actionsOf,
  formatMonth,
  KNOWLEDGE_LABELS,
  QUERY_MODE_LABELS,
  SCOPE_LABELS,
  type ShowDialog,
} from "./labels";

interface KeyDialogProps extends DialogHandlers {
  apiKey: Key;
  onShow: ShowDialog;
}

export function KeyDialog({ apiKey: key, onShow, ...dialog }: KeyDialogProps) {
  return (
    <Dialog title={key.name} {...dialog}>
      <DialogBody>
        <dl className="grid gap-3 sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-y-3.5 [&_dt]:text-muted">
          <Identity apiKey={key} />
          <Permissions apiKey={key} />
          <Fact name="Spend">
            <span className="tabular-nums">{formatMonth(key)}</span>
            {key.monthly_budget_usd === null && (
              <span className="text-muted">No monthly budget</span>
            )}
          </Fact>
          <Fact name="Rate limits">
            <span className="tabular-nums">{formatLimit(key.requests_per_minute, "requests")}</span>
            <span className="tabular-nums">{formatLimit(key.tokens_per_minute, "tokens")}</span>
          </Fact>
          <Fact name="Created">
            <ExactTime value={key.created_at} />
            {key.created_by && <span className="break-words text-muted">by {key.created_by}</span>}
          </Fact>
          <Fact name="Last used">{exactOrNever(key.last_used_at)}</Fact>
          <Fact name="Expires">{exactOrNever(key.expires_at)}</Fact>
          {key.revoked_at && <Fact name="Revoked">{exactOrNever(key.revoked_at)}</Fact>}
        </dl>
      </DialogBody>
      <DialogFooter>
        <div className="mr-auto flex gap-2">
          {actionsOf(key).map(({ kind, name }) => (
            <Button key={kind} onClick={() => onShow({ kind, id: key.id })}>
              {name}
            </Button>
          ))}
        </div>
        <Button variant="primary" onClick={dialog.onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function exactOrNever(time: string | null): ReactNode {
  return time ? <ExactTime value={time} /> : "Never";
}

function Identity({ apiKey: key }: { apiKey: Key }) {
  return (
    <>
      <Fact name="Key">
        <code className="font-mono text-xs">{key.display}</code>
        <span className="flex gap-1.5">
          <ModeBadge mode={key.mode} />
          <StatusBadge status={key.status} />
        </span>
      </Fact>
      {key.replaced_secrets.length > 0 && (
        <Fact name="Old secrets">
          {key.replaced_secrets.map(({ display, expires_at, last_used_at }) => (
            <span key={display + expires_at} className="grid">
              <code className="font-mono text-xs leading-5">{display}</code>
              <span className="text-muted text-xs">
                Works until <ExactTime value={expires_at} />
              </span>
              <span className="text-muted text-xs">
                Last used: {last_used_at ? <RelativeTime value={last_used_at} /> : "never"}
              </span>
            </span>
          ))}
        </Fact>
      )}
      <Fact name="ID">
        <code className="break-all font-mono text-xs">{key.id}</code>
        <span>
          <CopyButton text={key.id} label="Copy ID" />
        </span>
      </Fact>
    </>
  );
}

function Permissions({ apiKey: key }: { apiKey: Key }) {
  return (
    <>
      <Fact name="Scopes">
        {key.scopes.map((scope) => (
          <span key={scope} className="grid">
            <code className="font-mono text-xs leading-5">{scope}</code>
            <span className="text-muted text-xs">{SCOPE_LABELS[scope]}</span>
          </span>
        ))}
      </Fact>
      <Fact name="Knowledge">
        {key.knowledge_scopes.length === 0 && "None. This key can’t search or cite documents."}
        {key.knowledge_scopes.map((scope) => (
          <span key={scope}>
            {KNOWLEDGE_LABELS[scope].name}{" "}
            <code className="font-mono text-muted text-xs">{scope}</code>
          </span>
        ))}
      </Fact>
      {key.person && (
        <Fact name="Person">
          <span className="break-words">{key.person.reference}</span>
        </Fact>
      )}
      <Fact name="Models">
        {key.models
          ? key.models.map((model) => (
              <code key={model} className="break-all font-mono text-xs leading-5">
                {model}
              </code>
            ))
          : "Default model only"}
      </Fact>
      <Fact name="Search with">{QUERY_MODE_LABELS[key.query_mode].name}</Fact>
    </>
  );
}

function formatLimit(limit: number | null, unit: string): string {
  return limit === null
    ? `Default limit for ${unit}`
    : `${limit.toLocaleString("en-US")} ${unit} per minute`;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="-mt-2.5 grid min-w-0 gap-1.5 sm:mt-0">{children}</dd>
    </>
  );
}
