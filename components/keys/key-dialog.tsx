"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { ExactTime } from "@/components/ui/time";
import type { Key } from "@/lib/keys/schema";
import { sayMonth } from "./budget";
import { ModeBadge, StatusBadge } from "./key-facts";
import type { DialogEnd, ShowDialog } from "./use-dialogs";
import { KNOWLEDGE_WORDS, SCOPE_WORDS } from "./words";

interface KeyDialogProps extends DialogEnd {
  apiKey: Key;
  onRevoke: ShowDialog;
}

/** All that is known of one key. */
export function KeyDialog({ apiKey: key, onRevoke, onClose, onCloseAutoFocus }: KeyDialogProps) {
  return (
    <Dialog title={key.name} onClose={onClose} onCloseAutoFocus={onCloseAutoFocus}>
      <DialogBody>
        <dl className="grid gap-3 sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-y-3.5 [&_dt]:text-muted">
          <Identity apiKey={key} />
          <Permissions apiKey={key} />
          <Spending apiKey={key} />
          <Dates apiKey={key} />
        </dl>
      </DialogBody>
      <DialogFooter>
        {key.status !== "revoked" && (
          <Button onClick={() => onRevoke({ kind: "revoke", id: key.id })}>Revoke</Button>
        )}
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
      <Fact name="Id">
        <code className="break-all font-mono text-xs">{key.id}</code>
        <span>
          <CopyButton text={key.id} label="Copy id" />
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
            <span className="text-muted text-xs">{SCOPE_WORDS[scope]}</span>
          </span>
        ))}
      </Fact>
      <Fact name="Knowledge">
        {key.knowledge_scopes.length === 0 && "None: the key can neither cite nor search."}
        {key.knowledge_scopes.map((scope) => (
          <span key={scope}>
            {KNOWLEDGE_WORDS[scope].name}{" "}
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

function Spending({ apiKey: key }: { apiKey: Key }) {
  return (
    <Fact name="Spending">
      <span className="tabular-nums">{sayMonth(key)}</span>
      {key.monthly_budget_usd === null && <span className="text-muted">No monthly budget</span>}
    </Fact>
  );
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
