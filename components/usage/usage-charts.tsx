import { ColumnChart } from "@/components/ui/chart";
import type { ChartSeries, ChooseInChart } from "@/components/ui/chart-point";
import { formatUsd } from "@/components/ui/usd";
import type { ChartGroup, UsageFilter } from "@/lib/money/usage/filter";
import type { UsageSummary } from "@/lib/money/usage/schema";
import { formatAxisUsd, formatKind, formatNumber, formatShortNumber, KIND_LABELS } from "./labels";

/** A count, or a decimal string of US dollars. */
type Figure = number | string;

interface UsageChartProps {
  title: string;
  total: Figure;
  series: ChartSeries[];
  /** The value of each series by day or hour. */
  points: { at: string; values: Figure[] }[];
  onChoose?: ChooseInChart | undefined;
  className?: string;
}

export function UsageChart({ total, points, ...props }: UsageChartProps) {
  return (
    <ColumnChart
      {...props}
      total={formatFigure(total)}
      points={points.map(({ at, values }) => ({
        at,
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

const SPEND = [{ id: "spend", name: "Spend", color: "var(--color-accent)" }];
/** Not a kind: a request that was refused has none. */
export const REFUSED = {
  id: "refused",
  name: KIND_LABELS.refused,
  color: "var(--color-chart-slate)",
};
const REQUESTS = [
  { id: "succeeded", name: "Succeeded", color: "var(--color-accent)" },
  { id: "failed", name: "Failed", color: "var(--color-danger)" },
  REFUSED,
];
const TOKENS = [
  { id: "input", name: "Input", color: "var(--color-accent)" },
  { id: "output", name: "Output", color: "var(--color-chart-sky)" },
];
/** Of groups, the largest first; none is a color of a state. */
const PALETTE = ["accent", "chart-sky", "chart-violet", "chart-teal", "chart-plum"];
const OTHERS = "others";

/** A new key's charts begin a week ago, not with weeks before its first request. */
const MIN_BUCKETS = 7;

/** Without the empty days before the first request, but never less than the last week. */
export function fromFirstUse(summary: UsageSummary): UsageSummary {
  const { buckets, groups } = summary;
  const used = buckets.findIndex((each) => each.requests + each.refused_requests > 0);
  const first = Math.min(used < 0 ? buckets.length : used, buckets.length - MIN_BUCKETS);
  const shown = groups.map((group) => ({ ...group, points: group.points.slice(first) }));
  return first > 0 ? { ...summary, buckets: buckets.slice(first), groups: shown } : summary;
}

interface UsageChartsProps {
  summary: UsageSummary;
  /** What `summary.groups` are. */
  group?: ChartGroup | undefined;
  /** Narrows the page to the day or the group that was clicked. */
  onFilter?: (changes: UsageFilter) => void;
}

export function UsageCharts({ summary, group, onFilter }: UsageChartsProps) {
  const { total, buckets, interval } = summary;
  const charts = group ? groupedCharts(summary, group) : plainCharts(buckets);
  const onChoose = onFilter && ((choice: Choice) => onFilter(narrow(choice, group)));
  const figures = [
    ["Spend", "spend", total.cost_usd],
    ["Requests", "requests", total.requests + total.refused_requests],
    ["Tokens", "tokens", total.prompt_tokens + total.completion_tokens],
  ] as const;
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 sm:max-xl:*:first:col-span-2">
      {figures.map(([name, figure, sum]) => (
        <UsageChart
          key={figure}
          title={`${name} by ${interval}`}
          total={sum}
          {...charts[figure]}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

type Choice = Parameters<ChooseInChart>[0];

/** A group narrows to itself, anything else to its day. */
function narrow({ at, series }: Choice, group: ChartGroup | undefined): UsageFilter {
  if (group && series && series !== OTHERS) {
    return { [group]: series };
  }
  const day = at?.slice(0, 10);
  return day ? { days: undefined, from: day, to: day } : {};
}

type Charts = Record<"spend" | "requests" | "tokens", Pick<UsageChartProps, "series" | "points">>;

function plainCharts(buckets: UsageSummary["buckets"]): Charts {
  const points = (valuesOf: (bucket: (typeof buckets)[number]) => Figure[]) =>
    buckets.map((bucket) => ({ at: bucket.at, values: valuesOf(bucket) }));
  return {
    spend: { series: SPEND, points: points(({ cost_usd }) => [cost_usd]) },
    requests: {
      series: REQUESTS,
      points: points(({ requests, failed_requests: failed, refused_requests: refused }) => [
        requests - failed,
        failed,
        refused,
      ]),
    },
    tokens: {
      series: TOKENS,
      points: points((bucket) => [bucket.prompt_tokens, bucket.completion_tokens]),
    },
  };
}

function groupedCharts({ groups, buckets }: UsageSummary, group: ChartGroup): Charts {
  const series = groups.map(({ id, name }, index) => ({
    id: id ?? OTHERS,
    name: id === null ? "Others" : nameOf(name, group),
    color: `var(--color-${id === null ? "chart-slate" : PALETTE[index]})`,
  }));
  const chart = (figure: "cost_usd" | "requests" | "tokens") => ({
    series,
    points: buckets.map(({ at }, index) => ({
      at,
      values: groups.map(({ points }) => points[index]?.[figure] ?? 0),
    })),
  });
  return { spend: chart("cost_usd"), requests: chart("requests"), tokens: chart("tokens") };
}

function nameOf(name: string | null, group: ChartGroup): string {
  if (name === null) {
    return { key: "Deleted key", model: "No model", kind: "Unknown" }[group];
  }
  return group === "kind" ? formatKind(name) : name;
}
