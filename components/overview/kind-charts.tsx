"use client";

import { DayChart } from "@/components/ui/chart";
import type { ChartDay } from "@/components/ui/chart-day";
import { sayUsd } from "@/components/ui/usd";
import { KIND_WORDS, sayAxisUsd, sayNumber, sayShortNumber } from "@/components/usage/labels";
import { USAGE_KINDS, type UsageKind } from "@/lib/usage/filter";
import type { Overview } from "@/lib/usage/schema";
import { daysByKind, type KindSums } from "./days-by-kind";

/** Told apart by how light they are as well, for those who see colours differently. */
const COLORS: Record<UsageKind, string> = {
  core: "var(--color-control)",
  grounded: "var(--color-accent)",
  search: "var(--color-warning)",
  ingest: "var(--color-ink)",
};
const SERIES = USAGE_KINDS.map((kind) => ({ name: KIND_WORDS[kind].name, color: COLORS[kind] }));

/** Spend and requests of the last 30 days, by day and kind. */
export function KindCharts({ overview }: { overview: Overview }) {
  const days = daysByKind(overview);
  const chart = (toDay: (sums: KindSums[]) => Omit<ChartDay, "day">): ChartDay[] =>
    days.map(({ day, kinds }) => ({ day, ...toDay(kinds) }));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <DayChart
        title="Spend by kind, 30 days"
        total={sayUsd(overview.total.cost_usd)}
        series={SERIES}
        days={chart((kinds) => ({
          heights: kinds.map(({ cost_usd }) => Number(cost_usd)),
          said: kinds.map(({ cost_usd }) => sayUsd(cost_usd)),
        }))}
        sayHeight={sayAxisUsd}
      />
      <DayChart
        title="Requests by kind, 30 days"
        total={sayNumber(overview.total.requests)}
        series={SERIES}
        days={chart((kinds) => ({
          heights: kinds.map(({ requests }) => requests),
          said: kinds.map(({ requests }) => sayNumber(requests)),
        }))}
        sayHeight={sayShortNumber}
      />
    </div>
  );
}
