import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { Day, RelativeTime } from "@/components/ui/time";
import { formatRoughUsd, formatUsd } from "@/components/ui/usd";
import { parseUsd } from "@/lib/billing/money";
import { cn } from "@/lib/cn";
import type { Key } from "@/lib/keys/schema";
import {
  actionsOf,
  formatKnowledge,
  formatModels,
  formatMonth,
  MODE_LABELS,
  type ShowDialog,
  STATUS_LABELS,
} from "./labels";

/** Columns that narrow tables leave to the details dialog. */
const WIDE = "@max-[72rem]:hidden";
const WIDER = "@max-[80rem]:hidden";
const WIDEST = "@max-[92rem]:hidden";

interface Fact {
  name: string;
  render: (key: Key) => ReactNode;
  /** Of its column. */
  className?: string;
}

/** Between the key's name and its status. */
const FACTS: readonly Fact[] = [
  { name: "Scopes", render: (key) => <ScopesSummary apiKey={key} /> },
  { name: "Knowledge", render: formatKnowledge, className: WIDE },
  { name: "Models", render: formatModels, className: cn("max-w-36 truncate", WIDEST) },
  { name: "This month", render: (key) => <BudgetSummary apiKey={key} /> },
  {
    name: "Last used",
    render: (key) => (key.last_used_at ? <RelativeTime value={key.last_used_at} /> : "Never"),
    className: "whitespace-nowrap",
  },
  {
    name: "Created",
    render: (key) => <Day value={key.created_at} />,
    className: cn("whitespace-nowrap", WIDER),
  },
  {
    name: "Expires",
    render: (key) => (key.expires_at ? <Day value={key.expires_at} /> : "Never"),
    className: "whitespace-nowrap",
  },
];

interface KeyListProps {
  keys: Key[];
  onShow: ShowDialog;
}

/** A table if it fits, otherwise cards. */
export function KeyList({ keys, onShow }: KeyListProps) {
  return (
    <div className="@container">
      <div className="@min-[62rem]:block hidden overflow-x-auto rounded-lg border bg-surface">
        <KeyTable keys={keys} onShow={onShow} />
      </div>
      <ul aria-label="Keys" className="@min-[62rem]:hidden grid @min-[40rem]:grid-cols-2 gap-3">
        {keys.map((key) => (
          <KeyCard key={key.id} apiKey={key} onShow={onShow} />
        ))}
      </ul>
    </div>
  );
}

function KeyTable({ keys, onShow }: KeyListProps) {
  return (
    <Table>
      <caption className="sr-only">API keys, newest first</caption>
      <thead>
        <tr>
          <ColumnHead>Key</ColumnHead>
          <ColumnHead>Mode</ColumnHead>
          {FACTS.map(({ name, className }) => (
            <ColumnHead key={name} className={className}>
              {name}
            </ColumnHead>
          ))}
          <ColumnHead>Status</ColumnHead>
          <ColumnHead>
            <span className="sr-only">Actions</span>
          </ColumnHead>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <Row key={key.id} className={cn(key.status !== "usable" && "text-muted")}>
            <Cell className="min-w-42 max-w-56">
              <KeyName apiKey={key} onShow={onShow} />
            </Cell>
            <Cell>
              <ModeBadge mode={key.mode} />
            </Cell>
            {FACTS.map(({ name, render, className }) => (
              <Cell key={name} className={className}>
                {render(key)}
              </Cell>
            ))}
            <Cell>
              <StatusBadge status={key.status} />
            </Cell>
            <Cell className="whitespace-nowrap pl-0 text-right [&_button]:px-1.5">
              <KeyActions apiKey={key} onShow={onShow} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

interface KeyProps {
  apiKey: Key;
  onShow: ShowDialog;
}

function KeyCard({ apiKey: key, onShow }: KeyProps) {
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
        {FACTS.map(({ name, render }) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted text-xs">{name}</dt>
            <dd className="break-words">{render(key)}</dd>
          </div>
        ))}
      </dl>
      <div className="-mb-1.5 flex gap-1 border-t pt-2 [&_button]:first:-ml-2.5">
        <Button size="sm" variant="ghost" onClick={() => onShow({ kind: "details", id: key.id })}>
          Details<span className="sr-only"> of {key.name}</span>
        </Button>
        <KeyActions apiKey={key} onShow={onShow} />
      </div>
    </li>
  );
}

export function ModeBadge({ mode }: Pick<Key, "mode">) {
  return <Badge tone={MODE_LABELS[mode].tone}>{MODE_LABELS[mode].name}</Badge>;
}

export function StatusBadge({ status }: Pick<Key, "status">) {
  return <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].name}</Badge>;
}

function KeyActions({ apiKey: key, onShow }: KeyProps) {
  return actionsOf(key).map(({ kind, name }) => (
    <Button key={kind} size="sm" variant="ghost" onClick={() => onShow({ kind, id: key.id })}>
      {name}
      <span className="sr-only"> {key.name}</span>
    </Button>
  ));
}

/** The name, which opens the details, above the visible part of the secret. */
function KeyName({ apiKey: key, onShow }: KeyProps) {
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

/** The first scope and how many more; all of them on hover. */
function ScopesSummary({ apiKey: { scopes } }: { apiKey: Key }) {
  const [first, ...others] = scopes;
  if (!first) {
    return "None";
  }
  return (
    <span className="whitespace-nowrap" title={scopes.join(", ")}>
      <code className="font-mono text-xs">{first}</code>
      {others.length > 0 && <span className="text-muted"> +{others.length}</span>}
    </span>
  );
}

/** This month's spend and the budget, rounded; the exact amounts on hover. */
function BudgetSummary({ apiKey: key }: { apiKey: Key }) {
  const { monthly_budget_usd: budget, month_spend_usd: spend } = key;
  const isUsedUp = budget !== null && parseUsd(spend) >= parseUsd(budget);
  return (
    <span className="tabular-nums" title={formatMonth(key)}>
      <span className={cn("whitespace-nowrap", isUsedUp && "font-medium text-warning")}>
        {formatRoughUsd(spend)}
      </span>
      {budget !== null && (
        <>
          {" "}
          <span className="whitespace-nowrap text-muted">of {formatUsd(budget)}</span>
        </>
      )}
    </span>
  );
}
