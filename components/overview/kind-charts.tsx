"use client";

import { DayChart } from "@/components/ui/chart";
import type { ChartDay } from "@/components/ui/chart-day";
import { formatUsd } from "@/components/ui/usd";
import {
  formatAxisUsd,
  formatNumber,
  formatShortNumber,
  KIND_LABELS,
} from "@/components/usage/labels";
import { DAY_MS, USAGE_KINDS, type UsageKind } from "@/lib/usage/filter";
import type { Overview } from "@/lib/usage/schema";

interface KindTotals {
  requests: number;
  cost_usd: string;
}

/** Every day of the overview with the totals of each kind, in the order of USAGE_KINDS. */
export function daysByKind({ from, to, days }: Pick<Overview, "from" | "to" | "days">) {
  const known = new Map(days.map((each) => [`${each.day} ${each.kind}`, each]));
  const all: { day: string; kinds: KindTotals[] }[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10);
    all.push({
      day,
      kinds: USAGE_KINDS.map(
        (kind) => known.get(`${day} ${kind}`) ?? { requests: 0, cost_usd: "0" },
      ),
    });
  }
  return all;
}

/** Also distinguishable by lightness, for color-blind readers. */
const COLORS: Record<UsageKind, string> = {
  core: "var(--color-control)",
  grounded: "var(--color-accent)",
  search: "var(--color-warning)",
  ingest: "var(--color-ink)",
};
const SERIES = USAGE_KINDS.map((kind) => ({ name: KIND_LABELS[kind].name, color: COLORS[kind] }));

/** Spend and requests of the last 30 days, by day and kind. */
export function KindCharts({ overview }: { overview: Overview }) {
  const days = daysByKind(overview);
  const chart = (toDay: (totals: KindTotals[]) => Omit<ChartDay, "day">): ChartDay[] =>
    days.map(({ day, kinds }) => ({ day, ...toDay(kinds) }));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <DayChart
        title="Spend by type, last 30 days"
        total={formatUsd(overview.total.cost_usd)}
        series={SERIES}
        days={chart((kinds) => ({
          heights: kinds.map(({ cost_usd }) => Number(cost_usd)),
          values: kinds.map(({ cost_usd }) => formatUsd(cost_usd)),
        }))}
        formatHeight={formatAxisUsd}
      />
      <DayChart
        title="Requests by type, last 30 days"
        total={formatNumber(overview.total.requests)}
        series={SERIES}
        days={chart((kinds) => ({
          heights: kinds.map(({ requests }) => requests),
          values: kinds.map(({ requests }) => formatNumber(requests)),
        }))}
        formatHeight={formatShortNumber}
      />
    </div>
  );
}
