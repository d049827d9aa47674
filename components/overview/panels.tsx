import Link from "next/link";
import { type ReactNode, useId } from "react";
import { buttonVariants } from "@/components/ui/button";
import { formatUsd, Usd } from "@/components/ui/usd";
import { formatDuration, formatNumber, formatShare } from "@/components/usage/labels";
import type { Overview } from "@/lib/usage/schema";
import { formatDaysLeft } from "./labels";

interface PanelProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

function Panel({ title, action, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 content-start gap-3 rounded-lg border bg-surface p-4"
    >
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h2 id={id} className="font-medium text-muted">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

const PERCENTILES = [
  { name: "p50", title: "Median" },
  { name: "p95", title: "95th percentile" },
] as const;

export function Latency({ latency }: Pick<Overview, "latency">) {
  const { completions, streamed } = latency;
  const rows = [
    { name: "Total latency", p50: latency.p50_ms, p95: latency.p95_ms },
    {
      name: "Time to first token",
      p50: latency.first_token_p50_ms,
      p95: latency.first_token_p95_ms,
    },
  ];
  return (
    <Panel title="Completion latency">
      <table className="w-full text-left">
        <caption className="sr-only">Latency of successful completions</caption>
        <thead>
          <tr className="text-muted text-xs">
            <td />
            {PERCENTILES.map(({ name, title }) => (
              <th key={name} scope="col" className="pb-1 text-right font-normal">
                <abbr title={title} className="no-underline">
                  {name}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className="border-t">
              <th scope="row" className="py-1.5 font-normal">
                {row.name}
              </th>
              {PERCENTILES.map(({ name }) => (
                <td key={name} className="py-1.5 text-right font-medium tabular-nums">
                  {row[name] === null ? (
                    <>
                      <span aria-hidden>–</span>
                      <span className="sr-only">Unknown</span>
                    </>
                  ) : (
                    formatDuration(row[name])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-muted text-xs leading-5">
        {completions === 0
          ? "No successful completions in the last 30 days."
          : `Based on ${formatNumber(completions)} successful completions, ${formatNumber(streamed)} of them streamed.`}
      </p>
    </Panel>
  );
}

export function Errors({ total }: Pick<Overview, "total">) {
  const { requests, failed_requests: failed, disconnected_requests: disconnected } = total;
  return (
    <Panel title="Error rate">
      <p className="font-semibold text-3xl tabular-nums tracking-tight">
        {formatShare(failed, requests)}
      </p>
      <p className="text-muted">
        {formatNumber(failed)} of {formatNumber(requests)} requests
        {disconnected > 0 &&
          `, including ${formatNumber(disconnected)} where the client disconnected`}
      </p>
      {failed > 0 && (
        <Link
          href="/usage?status=failed"
          className="w-fit rounded-sm text-accent underline underline-offset-4"
        >
          View failed requests
        </Link>
      )}
    </Panel>
  );
}

/** The available balance and how long it lasts at last week's rate. */
export function Balance({ overview }: { overview: Overview }) {
  const { credits, week_spend_usd, days_left } = overview;
  return (
    <Panel
      title="Available balance"
      action={
        <Link href="/billing" className={buttonVariants({ size: "sm" })}>
          Billing
        </Link>
      }
    >
      <p className="break-words font-semibold text-3xl tracking-tight">
        <Usd
          value={credits.available_usd}
          className="[&>span]:font-medium [&>span]:text-base [&>span]:text-muted"
        />
      </p>
      <dl className="grid gap-1">
        <div className="flex flex-wrap justify-between gap-x-3">
          <dt className="text-muted">Runway</dt>
          <dd className="font-medium">{formatDaysLeft(days_left)}</dd>
        </div>
      </dl>
      <p className="text-muted text-xs leading-5">
        {days_left === null
          ? "No spend in the last 7 days."
          : `Based on ${formatUsd(week_spend_usd)} spent in the last 7 days.`}
      </p>
    </Panel>
  );
}
