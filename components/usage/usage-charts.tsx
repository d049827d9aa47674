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
  { name: "Refused", color: "var(--color-chart-slate)" },
];
const TOKENS = [
  { name: "Input", color: "var(--color-accent)" },
  { name: "Output", color: "var(--color-chart-sky)" },
];

export function UsageCharts({ summary: { total, days } }: { summary: UsageSummary }) {
  const valuesByDay = (valuesOf: (day: (typeof days)[number]) => Figure[]) =>
    days.map((each) => ({ day: each.day, values: valuesOf(each) }));
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <UsageChart
        title="Spend by day"
        total={total.cost_usd}
        series={SPEND}
        days={valuesByDay(({ cost_usd }) => [cost_usd])}
      />
      <UsageChart
        title="Requests by day"
        total={total.requests + total.refused_requests}
        series={REQUESTS}
        days={valuesByDay(({ requests, failed_requests: failed, refused_requests: refused }) => [
          requests - failed,
          failed,
          refused,
        ])}
      />
      <UsageChart
        title="Tokens by day"
        total={total.prompt_tokens + total.completion_tokens}
        series={TOKENS}
        days={valuesByDay((day) => [day.prompt_tokens, day.completion_tokens])}
      />
    </div>
  );
}
