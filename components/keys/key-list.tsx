import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Menu } from "@/components/ui/menu";
import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { Day, RelativeTime } from "@/components/ui/time";
import { formatRoughUsd, formatUsd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { Key } from "@/lib/money/keys/schema";
import { noticesOf } from "./attention";
import { BudgetBar } from "./budget-bar";
import {
  actionsOf,
  formatKnowledge,
  formatModels,
  formatMonth,
  MODE_LABELS,
  type ShowDialog,
  STATUS_LABELS,
} from "./labels";

/** Columns that narrow tables leave to the key's page. */
const WIDE = "@max-[66rem]:hidden";
const WIDER = "@max-[76rem]:hidden";
const WIDEST = "@max-[84rem]:hidden";

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
      <div className="@min-[56rem]:block hidden overflow-clip rounded-lg border bg-surface [--table-top:3rem]">
        <KeyTable keys={keys} onShow={onShow} />
      </div>
      <ul aria-label="Keys" className="@min-[56rem]:hidden grid @min-[40rem]:grid-cols-2 gap-3">
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
            <Cell className="min-w-42 max-w-56 2xl:max-w-80">
              <KeyName apiKey={key} />
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
              <KeyState apiKey={key} />
            </Cell>
            <Cell className="w-10 pl-0 text-right">
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
        <KeyName apiKey={key} />
        <KeyActions apiKey={key} onShow={onShow} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <ModeBadge mode={key.mode} />
        <KeyState apiKey={key} />
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
        {FACTS.map(({ name, render }) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted text-xs">{name}</dt>
            <dd className="break-words">{render(key)}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

export function ModeBadge({ mode }: Pick<Key, "mode">) {
  return <Badge tone={MODE_LABELS[mode].tone}>{MODE_LABELS[mode].name}</Badge>;
}

/** A badge for what is unusual; plain text for an active key. */
export function KeyState({ apiKey: key }: { apiKey: Key }) {
  const { name, tone } = STATUS_LABELS[key.status];
  const [notice] = noticesOf(key);
  if (notice) {
    return <Badge tone={notice.tone}>{notice.label}</Badge>;
  }
  return key.status === "usable" ? (
    <span className="text-muted">{name}</span>
  ) : (
    <Badge tone={tone}>{name}</Badge>
  );
}

function KeyActions({ apiKey: key, onShow }: KeyProps) {
  const items = actionsOf(key).map(({ kind, name }) => ({
    name,
    isDestructive: kind === "revoke",
    onSelect: () => onShow({ kind, id: key.id }),
  }));
  return items.length > 0 && <Menu label={`Actions for ${key.name}`} items={items} />;
}

/** The name, which links to the key's page, above the visible part of the secret. */
function KeyName({ apiKey: key }: { apiKey: Key }) {
  return (
    <div className="grid min-w-0 justify-items-start">
      <Link
        href={`/keys/${key.id}`}
        title={key.name}
        className="max-w-full truncate rounded-sm font-medium text-ink underline-offset-4 hover:underline"
      >
        {key.name}
      </Link>
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

/** This month’s spend and the budget over a bar; amounts of a dollar or more rounded, and exact on hover. */
function BudgetSummary({ apiKey: key }: { apiKey: Key }) {
  const { monthly_budget_usd: budget, month_spend_usd: spend } = key;
  // "<$0.01 of $0.002" would not say how much is left.
  const isSmall = budget !== null && Number(budget) < 1;
  return (
    <span className="grid w-fit min-w-24 gap-1 tabular-nums" title={formatMonth(key)}>
      <span className="whitespace-nowrap">
        {isSmall ? formatUsd(spend) : formatRoughUsd(spend)}
        {budget !== null && <span className="text-muted"> of {formatUsd(budget)}</span>}
      </span>
      <BudgetBar apiKey={key} />
    </span>
  );
}
