import { DayChart } from "@/components/ui/chart";
import type { ChartSeries } from "@/components/ui/chart-day";
import { formatUsd } from "@/components/ui/usd";
import type { UsageSummary } from "@/lib/usage/schema";
import { formatAxisUsd, formatNumber, formatShortNumber } from "./labels";

/** A count, or a decimal string of US dollars. */
type Figure = number | string;

interface UsageChartProps {
  title: string;
  total: Figure;
  series: ChartSeries[];
  /** The value of each series by day. */
  days: { day: string; values: Figure[] }[];
}

export function UsageChart({ title, total, series, days }: UsageChartProps) {
  return (
    <DayChart
      title={title}
      total={formatFigure(total)}
      series={series}
      days={days.map(({ day, values }) => ({
        day,
        heights: values.map(Number),
        values: values.map(formatFigure),
      }))}
      formatHeight={typeof total === "string" ? formatAxisUsd : formatShortNumber}
    />
  );
}

function formatFigure(figure: Figure): string {
  return typeof figure === "string" ? formatUsd(figure) : formatNumber(figure);
}

const SPEND = [{ name: "Spend", color: "var(--color-accent)" }];
const REQUESTS = [
  { name: "Succeeded", color: "var(--color-accent)" },
  { name: "Failed", color: "var(--color-danger)" },
];
const TOKENS = [
  { name: "Input", color: "var(--color-accent)" },
  { name: "Output", color: "var(--color-warning)" },
];

export function UsageCharts({ summary: { total, days } }: { summary: UsageSummary }) {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <UsageChart
        title="Spend by day"
        total={total.cost_usd}
        series={SPEND}
        days={days.map(({ day, cost_usd }) => ({ day, values: [cost_usd] }))}
      />
      <UsageChart
        title="Requests by day"
        total={total.requests}
        series={REQUESTS}
        days={days.map(({ day, requests, failed_requests: failed }) => ({
          day,
          values: [requests - failed, failed],
        }))}
      />
      <UsageChart
        title="Tokens by day"
        total={total.prompt_tokens + total.completion_tokens}
        series={TOKENS}
        days={days.map(({ day, prompt_tokens, completion_tokens }) => ({
          day,
          values: [prompt_tokens, completion_tokens],
        }))}
      />
    </div>
  );
}
