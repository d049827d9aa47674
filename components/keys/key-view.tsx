"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { BackLink } from "@/components/shell/back-link";
import { EmptyState, StaleNotice } from "@/components/shell/state";
import { Button, ButtonLink } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/time";
import { formatUsd } from "@/components/ui/usd";
import { useDialog } from "@/components/ui/use-dialog";
import { formatNumber, formatShare } from "@/components/usage/labels";
import { RequestTable } from "@/components/usage/request-table";
import { fromFirstUse, UsageCharts } from "@/components/usage/usage-charts";
import { cn } from "@/lib/cn";
import { keyQuery } from "@/lib/money/keys/client";
import type { Key, KeyOptions } from "@/lib/money/keys/schema";
import { requestsQuery, summaryQuery } from "@/lib/money/usage/client";
import type { RequestPage, UsageSummary } from "@/lib/money/usage/schema";
import { noticesOf } from "./attention";
import { BudgetBar } from "./budget-bar";
import { KeyFacts } from "./key-facts";
import { KeyState, ModeBadge } from "./key-list";
import { actionsOf, type KeyDialogKind } from "./labels";

const KeyDialogs = lazy(async () => ({ default: (await import("./key-dialogs")).KeyDialogs }));

const LATEST = 8;

interface KeyViewProps {
  apiKey: Key;
  /** Of the key's requests in the last 30 days. */
  summary: UsageSummary;
  requests: RequestPage;
  options: KeyOptions;
}

/** A key's page: what it may do, what it used, and what needs attention. */
export function KeyView({ apiKey, options, ...initial }: KeyViewProps) {
  const query = useQuery({ ...keyQuery(apiKey.id), initialData: apiKey });
  const key = query.data;
  const filter = { key: key.id };
  const summary = useQuery({ ...summaryQuery(filter), initialData: initial.summary }).data;
  const log = useInfiniteQuery({
    ...requestsQuery(filter),
    initialData: { pages: [initial.requests], pageParams: [null] },
  });
  const requests = log.data.pages.flatMap((page) => page.data).slice(0, LATEST);
  const dialog = useDialog<KeyDialogKind>();
  return (
    <article aria-labelledby="key" className="grid gap-6">
      <header className="grid gap-3">
        <BackLink href="/keys" name="API keys" />
        <section
          ref={dialog.fallback}
          tabIndex={-1}
          aria-label={key.name}
          className="flex flex-wrap items-center gap-x-3 gap-y-2 outline-none"
        >
          <h1 id="key" className="min-w-0 break-words font-semibold text-xl tracking-tight">
            {key.name}
          </h1>
          <ModeBadge mode={key.mode} />
          <KeyState apiKey={key} />
          <div className="flex flex-wrap gap-2 sm:ml-auto">
            {actionsOf(key).map(({ kind, name }) => (
              <Button
                key={kind}
                onClick={() => dialog.show({ kind, id: key.id })}
                className={cn(kind === "revoke" && "text-danger")}
              >
                {name}
              </Button>
            ))}
          </div>
        </section>
      </header>
      <StaleNotice query={query} title="This page may be out of date." />
      <Notices apiKey={key} />
      <Tiles apiKey={key} summary={summary} />
      {summary.total.requests + summary.total.refused_requests > 0 && (
        <UsageCharts summary={fromFirstUse(summary)} />
      )}
      <Requests id={key.id} requests={requests} />
      <KeyFacts apiKey={key} stores={options.stores} />
      <Suspense>{dialog.open && <KeyDialogs keys={[key]} dialog={dialog} {...options} />}</Suspense>
    </article>
  );
}

function Notices({ apiKey }: { apiKey: Key }) {
  const notices = noticesOf(apiKey);
  return (
    notices.length > 0 && (
      <ul aria-label="Needs attention" className="grid gap-2">
        {notices.map(({ tone, label, advice }) => (
          <li
            key={label}
            className={cn(
              "rounded-md px-3 py-2",
              { danger: "bg-danger-soft", warning: "bg-warning-soft" }[tone as string] ??
                "bg-sunken",
            )}
          >
            <span className="font-medium">{label}.</span> {advice}
          </li>
        ))}
      </ul>
    )
  );
}

function Tiles({ apiKey: key, summary: { total } }: { apiKey: Key; summary: UsageSummary }) {
  const requests = total.requests + total.refused_requests;
  const failed = total.failed_requests + total.refused_requests;
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile
        name="Spend this month"
        value={formatUsd(key.month_spend_usd)}
        note={
          key.monthly_budget_usd === null
            ? "No monthly budget"
            : `of ${formatUsd(key.monthly_budget_usd)}`
        }
      >
        <BudgetBar apiKey={key} className="mt-1 h-1.5" />
      </Tile>
      <Tile name="Requests" value={formatNumber(requests)} note="Last 30 days" />
      <Tile
        name="Error rate"
        value={requests === 0 ? "–" : formatShare(failed, requests)}
        note={`${formatNumber(failed)} failed or refused`}
      />
      <Tile
        name="Last used"
        value={key.last_used_at ? <RelativeTime value={key.last_used_at} /> : "Never"}
        note={key.last_used_at ? "With any of its secrets" : "No request yet"}
      />
    </dl>
  );
}

interface TileProps {
  name: string;
  value: ReactNode;
  note: string;
  children?: ReactNode;
}

function Tile({ name, value, note, children }: TileProps) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-lg border bg-surface p-4">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="break-words font-semibold text-xl tabular-nums tracking-tight">{value}</dd>
      <dd className="text-muted text-xs">{note}</dd>
      {children && <dd>{children}</dd>}
    </div>
  );
}

function Requests({ id, requests }: { id: string; requests: RequestPage["data"] }) {
  return (
    <section aria-labelledby="requests" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="requests" className="font-medium text-base">
          Latest requests
        </h2>
        {requests.length > 0 && (
          <ButtonLink href={`/usage?${new URLSearchParams({ key: id })}`} size="sm">
            All requests
          </ButtonLink>
        )}
      </div>
      {requests.length > 0 ? (
        <RequestTable requests={requests} isOfOneKey />
      ) : (
        <EmptyState
          icon={ChartNoAxesColumn}
          title="No requests in the last 30 days"
          description="Requests with this key appear here as they arrive."
        />
      )}
    </section>
  );
}
