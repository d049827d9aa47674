"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { ExactTime, RelativeTime } from "@/components/ui/time";
import type { Key } from "@/lib/keys/schema";
import { formatMonth } from "./budget";
import { ModeBadge, StatusBadge } from "./key-facts";
import { actionsOf, KNOWLEDGE_LABELS, SCOPE_LABELS } from "./labels";
import type { DialogEnd, ShowDialog } from "./use-dialogs";

interface KeyDialogProps extends DialogEnd {
  apiKey: Key;
  onShow: ShowDialog;
}

/** All that is known of one key. */
export function KeyDialog({ apiKey: key, onShow, onClose, onCloseAutoFocus }: KeyDialogProps) {
  return (
    <Dialog title={key.name} onClose={onClose} onCloseAutoFocus={onCloseAutoFocus}>
      <DialogBody>
        <dl className="grid gap-3 sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-y-3.5 [&_dt]:text-muted">
          <Identity apiKey={key} />
          <Permissions apiKey={key} />
          <Limits apiKey={key} />
          <Dates apiKey={key} />
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
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
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
        <Fact name="Replaced">
          {key.replaced_secrets.map((secret) => (
            <ReplacedSecret key={secret.display + secret.expires_at} {...secret} />
          ))}
        </Fact>
      )}
      <Fact name="Id">
        <code className="break-all font-mono text-xs">{key.id}</code>
        <span>
          <CopyButton text={key.id} label="Copy id" />
        </span>
      </Fact>
    </>
  );
}

/** A secret of before the last rotation: until when it works, and whether somebody still uses it. */
function ReplacedSecret({ display, expires_at, last_used_at }: Key["replaced_secrets"][number]) {
  return (
    <span className="grid">
      <code className="font-mono text-xs leading-5">{display}</code>
      <span className="text-muted text-xs">
        Works until <ExactTime value={expires_at} />
      </span>
      <span className="text-muted text-xs">
        Last used: {last_used_at ? <RelativeTime value={last_used_at} /> : "never"}
      </span>
    </span>
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
        {key.knowledge_scopes.length === 0 && "None: the key can neither cite nor search."}
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
          : "The default model alone"}
      </Fact>
    </>
  );
}

function Limits({ apiKey: key }: { apiKey: Key }) {
  return (
    <>
      <Fact name="Spending">
        <span className="tabular-nums">{formatMonth(key)}</span>
        {key.monthly_budget_usd === null && <span className="text-muted">No monthly budget</span>}
      </Fact>
      <Fact name="Rate limits">
        <span className="tabular-nums">{formatLimit(key.requests_per_minute, "requests")}</span>
        <span className="tabular-nums">{formatLimit(key.tokens_per_minute, "tokens")}</span>
      </Fact>
    </>
  );
}

function formatLimit(limit: number | null, what: string): string {
  return limit === null
    ? `As many ${what} as the server allows`
    : `${limit.toLocaleString("en-US")} ${what} a minute`;
}

function Dates({ apiKey: key }: { apiKey: Key }) {
  return (
    <>
      <Fact name="Created">
        <ExactTime value={key.created_at} />
        {key.created_by && <span className="break-words text-muted">by {key.created_by}</span>}
      </Fact>
      <Fact name="Last used">
        {key.last_used_at ? <ExactTime value={key.last_used_at} /> : "Never"}
      </Fact>
      <Fact name="Expires">{key.expires_at ? <ExactTime value={key.expires_at} /> : "Never"}</Fact>
      {key.revoked_at && (
        <Fact name="Revoked">
          <ExactTime value={key.revoked_at} />
        </Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="-mt-2.5 grid min-w-0 gap-1.5 sm:mt-0">{children}</dd>
    </>
  );
}
