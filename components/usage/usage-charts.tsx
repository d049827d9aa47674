"use client";

import { DayChart } from "@/components/ui/chart";
import type { ChartDay } from "@/components/ui/chart-day";
import { sayUsd } from "@/components/ui/usd";
import type { UsageSummary } from "@/lib/usage/schema";
import { sayAxisUsd, sayNumber, sayShortNumber } from "./labels";

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
        total={sayUsd(total.cost_usd)}
        series={SPEND}
        days={chart(({ cost_usd }) => ({ heights: [Number(cost_usd)], said: [sayUsd(cost_usd)] }))}
        sayHeight={sayAxisUsd}
      />
      <DayChart
        title="Requests by day"
        total={sayNumber(total.requests)}
        series={REQUESTS}
        days={chart(({ requests, failed_requests: failed }) => numbers(requests - failed, failed))}
        sayHeight={sayShortNumber}
      />
      <DayChart
        title="Tokens by day"
        total={sayNumber(total.prompt_tokens + total.completion_tokens)}
        series={TOKENS}
        days={chart((day) => numbers(day.prompt_tokens, day.completion_tokens))}
        sayHeight={sayShortNumber}
      />
    </div>
  );
}

function numbers(...heights: number[]): Omit<ChartDay, "day"> {
  return { heights, said: heights.map(sayNumber) };
}
