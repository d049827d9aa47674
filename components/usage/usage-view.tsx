"use client";

import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { ChartNoAxesColumn, Download } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useMemo } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { PageHeader } from "@/components/shell/page-header";
import { BlocksSkeleton } from "@/components/shell/page-skeleton";
import { EmptyState, LoadError, StaleNotice } from "@/components/shell/state";
import { Button, ButtonLink, buttonVariants } from "@/components/ui/button";
import { ListSkeleton } from "@/components/ui/skeleton";
import { Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import { exportUrl, requestsQuery, summaryQuery } from "@/lib/money/usage/client";
import {
  CHART_GROUPS,
  type ChartGroup,
  filterQuery,
  MAX_EXPORTED,
  readFilter,
  type UsageFilter,
} from "@/lib/money/usage/filter";
import type { RequestPage, UsageSummary } from "@/lib/money/usage/schema";
import { FindRequest } from "./find-request";
import { formatNumber, formatRange, formatShare, SUMMARY_SKELETON, USAGE_PAGE } from "./labels";
import { RequestTable } from "./request-table";
import { TopErrors } from "./top-errors";
import { UsageCharts } from "./usage-charts";
import { UsageFilters } from "./usage-filters";

interface UsageViewProps {
  /** The filter that the server fetched the data below with. */
  filter: UsageFilter;
  firstPage: RequestPage;
  summary: UsageSummary;
}

export function UsageView(initial: UsageViewProps) {
  const { filter, group, change, chooseGroup, clear } = useFilter();
  const isInitial = filterQuery(filter) === filterQuery(initial.filter);
  const log = useInfiniteQuery({
    ...requestsQuery(filter),
    placeholderData: keepPreviousData,
    ...(isInitial && { initialData: { pages: [initial.firstPage], pageParams: [null] } }),
  });
  const summary = useQuery({
    ...summaryQuery(filter, group),
    placeholderData: keepPreviousData,
    ...(isInitial && !group && { initialData: initial.summary }),
  });
  return (
    <>
      <PageHeader
        {...USAGE_PAGE}
        actions={
          <div className="flex flex-wrap items-start gap-2">
            <FindRequest />
            <Export filter={filter} summary={summary.data} />
          </div>
        }
      />
      <div className="grid gap-6">
        <UsageFilters
          filter={filter}
          summary={summary.data ?? null}
          group={group}
          onChange={change}
          onGroup={chooseGroup}
          onClear={clear}
        />
        <QueryPanel
          query={summary}
          skeleton={<BlocksSkeleton label="Loading the totals" blocks={SUMMARY_SKELETON} />}
          errorTitle="We couldn’t load the totals"
          className="gap-4"
        >
          {(data) => (
            <>
              <Totals summary={data} />
              {countLogged(data) > 0 && (
                <UsageCharts
                  summary={data}
                  group={data.groups.length > 0 ? group : undefined}
                  onFilter={change}
                />
              )}
              {data.errors.length > 0 && <TopErrors errors={data.errors} />}
            </>
          )}
        </QueryPanel>
        <section aria-label="Requests">
          <QueryPanel
            query={log}
            skeleton={<ListSkeleton label="Loading requests" rows={8} isCompact hasHead />}
            errorTitle="We couldn’t load these requests"
            className="gap-3"
          >
            {({ pages }) => (
              <RequestLog pages={pages} query={log} onClear={filterQuery(filter) ? clear : null} />
            )}
          </QueryPanel>
        </section>
      </div>
    </>
  );
}

/** The page's filter and the charts' grouping, stored only in the URL. */
function useFilter() {
  const search = useSearchParams().toString();
  const { filter, group } = useMemo(() => {
    const params = new URLSearchParams(search);
    return {
      filter: readFilter(params),
      group: CHART_GROUPS.find((each) => each === params.get("group_by")),
    };
  }, [search]);
  // No server round trip: the queries fetch what changed. The Back button undoes it.
  const go = (next: UsageFilter, by: ChartGroup | undefined) => {
    const params = new URLSearchParams(filterQuery(next));
    if (by) {
      params.set("group_by", by);
    }
    const query = params.toString();
    window.history.pushState(null, "", query ? `?${query}` : window.location.pathname);
  };
  return {
    filter,
    group,
    /** Changes part of the filter; `undefined` removes a field. */
    change: (changes: UsageFilter) => go({ ...filter, ...changes }, group),
    chooseGroup: (by: ChartGroup | undefined) => go(filter, by),
    clear: () => go({}, group),
  };
}

interface QueryPanelProps<T> {
  query: UseQueryResult<T> | UseInfiniteQueryResult<T>;
  skeleton: ReactNode;
  errorTitle: string;
  className: string;
  children: (data: T) => ReactNode;
}

/** The result of a query: loading, failed or filled. Dimmed while another filter's result loads. */
function QueryPanel<T>({ query, skeleton, errorTitle, className, children }: QueryPanelProps<T>) {
  if (query.isPending) {
    return skeleton;
  }
  if (!query.data) {
    return <LoadError title={errorTitle} query={query} />;
  }
  return (
    <div
      aria-busy={query.isPlaceholderData}
      className={cn("grid transition-opacity aria-busy:opacity-60", className)}
    >
      {children(query.data)}
    </div>
  );
}

interface RequestLogProps {
  pages: RequestPage[];
  query: UseInfiniteQueryResult;
  /** Null if no filter is set. */
  onClear: (() => void) | null;
}

function RequestLog({ pages, query, onClear }: RequestLogProps) {
  const requests = pages.flatMap((page) => page.data);
  return (
    <>
      <StaleNotice query={query} />
      {requests.length > 0 ? <RequestTable requests={requests} /> : <EmptyLog onClear={onClear} />}
      <LoadMore query={query} noun={{ one: "request", many: "requests" }} count={requests.length} />
    </>
  );
}

function EmptyLog({ onClear }: Pick<RequestLogProps, "onClear">) {
  return onClear ? (
    <EmptyState
      icon={ChartNoAxesColumn}
      title="No matching requests"
      description="Try removing a filter or changing the dates."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      icon={ChartNoAxesColumn}
      title="No requests in the last 30 days"
      description="API calls appear here with their status, tokens and cost."
      action={
        <ButtonLink href="/start" variant="primary">
          Make a request
        </ButtonLink>
      }
    />
  );
}

function Export({ filter, summary }: { filter: UsageFilter; summary: UsageSummary | undefined }) {
  const count = summary ? countLogged(summary) : 0;
  return (
    count > 0 && (
      <div className="grid justify-items-end gap-1">
        <a href={exportUrl(filter)} download className={buttonVariants()}>
          <Download aria-hidden />
          Export CSV
        </a>
        {count > MAX_EXPORTED && (
          <p className="text-muted text-xs">The latest {formatNumber(MAX_EXPORTED)} requests</p>
        )}
      </div>
    )
  );
}

/** Refused requests are in the log, but aren't usage. */
function countLogged({ total }: UsageSummary): number {
  return total.requests + total.refused_requests;
}

function Totals({ summary }: { summary: UsageSummary }) {
  const { total } = summary;
  const all = countLogged(summary);
  const failed = total.failed_requests + total.refused_requests;
  const refused =
    total.refused_requests > 0 ? `, ${formatNumber(total.refused_requests)} of them refused` : "";
  const note = all > 0 && `${formatNumber(failed)} failed, ${formatShare(failed, all)}${refused}`;
  const facts = [
    { name: "Spend", value: <Usd value={total.cost_usd} /> },
    { name: "Requests", value: formatNumber(all), note },
    { name: "Input tokens", value: formatNumber(total.prompt_tokens) },
    { name: "Output tokens", value: formatNumber(total.completion_tokens) },
  ];
  return (
    <section aria-labelledby="totals" className="grid gap-3 rounded-lg border bg-surface p-4">
      <h2 id="totals" className="text-muted text-xs">
        Total, {formatRange(summary)} (UTC)
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        {facts.map(({ name, value, note }) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted text-xs">{name}</dt>
            <dd className="break-words font-semibold text-xl tabular-nums tracking-tight">
              {value}
            </dd>
            {note && <dd className="text-muted text-xs">{note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}
