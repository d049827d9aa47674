"use client";

import { DayChart } from "@/components/ui/chart";
import type { ChartDay } from "@/components/ui/chart-day";
import { formatUsd } from "@/components/ui/usd";
import type { UsageSummary } from "@/lib/usage/schema";
import { formatAxisUsd, formatNumber, formatShortNumber } from "./labels";

type Day = UsageSummary["days"][number];

const SPEND = [{ name: "Spend", color: "var(--color-accent)" }];
const REQUESTS = [
  { name: "Succeeded", color: "var(--color-accent)" },
  { name: "Failed", color: "var(--color-danger)" },
];
const TOKENS = [
  { name: "Input", color: "var(--color-accent)" },
  { name: "Output", color: "var(--color-warning)" },
];

/** Spend, requests and tokens of the requests shown, by day. */
export function UsageCharts({ summary }: { summary: UsageSummary }) {
  const { total } = summary;
  const chart = (toDay: (day: Day) => Omit<ChartDay, "day">): ChartDay[] =>
    summary.days.map((day) => ({ day: day.day, ...toDay(day) }));
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <DayChart
        title="Spend by day"
        total={formatUsd(total.cost_usd)}
        series={SPEND}
        days={chart(({ cost_usd }) => ({
          heights: [Number(cost_usd)],
          values: [formatUsd(cost_usd)],
        }))}
        formatHeight={formatAxisUsd}
      />
      <DayChart
        title="Requests by day"
        total={formatNumber(total.requests)}
        series={REQUESTS}
        days={chart(({ requests, failed_requests: failed }) => numbers(requests - failed, failed))}
        formatHeight={formatShortNumber}
      />
      <DayChart
        title="Tokens by day"
        total={formatNumber(total.prompt_tokens + total.completion_tokens)}
        series={TOKENS}
        days={chart((day) => numbers(day.prompt_tokens, day.completion_tokens))}
        formatHeight={formatShortNumber}
      />
    </div>
  );
}

function numbers(...heights: number[]): Omit<ChartDay, "day"> {
  return { heights, values: heights.map(formatNumber) };
}
