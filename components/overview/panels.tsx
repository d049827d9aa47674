import Link from "next/link";
import { type ReactNode, useId } from "react";
import { formatRoughUsd, formatUsd } from "@/components/ui/usd";
import { formatDuration, formatNumber, formatShare } from "@/components/usage/labels";
import type { Overview } from "@/lib/money/usage/overview-schema";
import { formatRunway, formatSpend } from "./labels";

interface TileProps {
  title: string;
  href: string;
  value: ReactNode;
  /** The exact value, on hover. */
  exact?: string;
  note: ReactNode;
  trend: number[];
  /** A caption for the trend, if it doesn't show the figure itself. */
  trendName?: string;
  color?: string;
}

/** A figure, its course over thirty days, and where to read more. The whole tile is a link. */
function Tile({ title, href, value, exact, note, trend, trendName, color }: TileProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="relative grid min-w-0 content-between gap-3 rounded-lg border bg-surface p-4 hover:border-control"
    >
      <div className="grid gap-1">
        <h2 id={id} className="text-muted">
          <Link href={href} className="rounded-sm after:absolute after:inset-0">
            {title}
          </Link>
        </h2>
        <p title={exact} className="break-words font-semibold text-2xl tabular-nums tracking-tight">
          {value}
        </p>
        <p className="text-muted text-xs leading-5">{note}</p>
      </div>
      <div>
        {trendName && <p className="text-muted text-xs">{trendName}</p>}
        <Sparkline values={trend} {...(color && { color })} />
      </div>
    </section>
  );
}

export function Tiles({ overview }: { overview: Overview }) {
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
      <Balance overview={overview} />
      <Requests overview={overview} />
      <Errors overview={overview} />
      <Latency overview={overview} />
    </div>
  );
}

/** The available balance, how long it lasts at last week's rate, and the spend by day. */
function Balance({ overview: { credits, week_spend_usd, days_left, trend } }: Props) {
  return (
    <Tile
      title="Available balance"
      href="/billing"
      value={formatRoughUsd(credits.available_usd)}
      exact={formatUsd(credits.available_usd)}
      note={formatRunway(days_left, week_spend_usd)}
      trendName="Spend by day"
      trend={trend.map(({ cost_usd }) => Number(cost_usd))}
    />
  );
}

interface Props {
  overview: Overview;
}

function Requests({ overview: { total, trend } }: Props) {
  return (
    <Tile
      title="Requests"
      href="/usage"
      value={formatNumber(total.requests + total.refused_requests)}
      note={`${formatSpend(total.cost_usd)} in the last 30 days`}
      trend={trend.map(({ requests }) => requests)}
      color="var(--color-chart-sky)"
    />
  );
}

/** Refused requests count: the caller got no answer either way. */
function Errors({ overview: { total, trend } }: Props) {
  const all = total.requests + total.refused_requests;
  const failed = total.failed_requests + total.refused_requests;
  return (
    <Tile
      title="Error rate"
      href="/usage?status=failed"
      value={all === 0 ? "–" : formatShare(failed, all)}
      note={[
        all === 0
          ? "No requests in the last 30 days"
          : `${formatNumber(failed)} of ${formatNumber(all)} requests`,
        total.refused_requests > 0 && `${formatNumber(total.refused_requests)} refused`,
        total.disconnected_requests > 0 &&
          `${formatNumber(total.disconnected_requests)} disconnected`,
      ]
        .filter(Boolean)
        .join(", ")}
      trend={trend.map(({ errors, requests }) => (requests === 0 ? 0 : errors / requests))}
      color="var(--color-chart-plum)"
    />
  );
}

function Latency({ overview: { latency, trend } }: Props) {
  const { p50_ms, p95_ms, first_token_p50_ms: firstToken, completions } = latency;
  return (
    <Tile
      title="Median latency"
      href="/usage?status=succeeded"
      value={p50_ms === null ? "–" : formatDuration(p50_ms)}
      note={
        completions === 0 || p95_ms === null
          ? "No completions in the last 30 days"
          : `95th percentile ${unbroken(p95_ms)}${firstToken === null ? "" : `, first token ${unbroken(firstToken)}`}`
      }
      trend={trend.map((day) => day.p50_ms ?? 0)}
      color="var(--color-chart-teal)"
    />
  );
}

/** A duration whose number and unit stay on one line. */
function unbroken(ms: number): string {
  return formatDuration(ms).replace(" ", "\u00a0");
}

const WIDTH = 100;
const HEIGHT = 28;
/** So that the line isn't cut off at its extremes. */
const MARGIN = 2;

interface SparklineProps {
  /** Oldest first; a line of zeros is flat. */
  values: readonly number[];
  color?: string;
}

/** The course of a figure, without axes. Decorative: the figure beside it is the information. */
function Sparkline({ values, color = "var(--color-accent)" }: SparklineProps) {
  const max = Math.max(...values, 0);
  const points = values.map((value, index) => {
    const x = (index / Math.max(values.length - 1, 1)) * WIDTH;
    const y = HEIGHT - MARGIN - (max === 0 ? 0 : (value / max) * (HEIGHT - 2 * MARGIN));
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-7 w-full"
    >
      <polygon
        points={`0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`}
        fill={color}
        opacity={0.1}
      />
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke={color}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
