import { KIND_LABELS } from "@/components/usage/labels";
import { REFUSED, UsageChart } from "@/components/usage/usage-charts";
import { DAY_MS, USAGE_KINDS, type UsageKind } from "@/lib/money/usage/filter";
import type { Overview } from "@/lib/money/usage/overview-schema";

/** Every day of the overview with the totals of each kind, in the order of USAGE_KINDS. */
export function daysByKind({ from, to, days }: Pick<Overview, "from" | "to" | "days">) {
  const known = new Map(days.map((each) => [`${each.day} ${each.kind}`, each]));
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10);
    const none = { requests: 0, cost_usd: "0" };
    return { day, kinds: USAGE_KINDS.map((kind) => known.get(`${day} ${kind}`) ?? none) };
  });
}

/** Also distinguishable by lightness, for color-blind readers. */
const COLORS: Record<UsageKind, string> = {
  grounded: "var(--color-accent)",
  core: "var(--color-chart-sky)",
  search: "var(--color-chart-violet)",
  verification: "var(--color-chart-teal)",
  embedding: "var(--color-chart-plum)",
  ingest: "var(--color-chart-moss)",
};

/** A new account's charts begin a week ago, not with weeks before it existed. */
const MIN_DAYS = 7;

export function firstShownDay({ from, to, days }: Pick<Overview, "from" | "to" | "days">): string {
  const latest = new Date(Date.parse(to) - (MIN_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const first = days.map(({ day }) => day).toSorted()[0] ?? to;
  return [first, latest].toSorted()[0] ?? from;
}

/** How many of a day's requests were refused: those that are in the trend, but of no kind. */
export function refusedByDay({ trend, days }: Pick<Overview, "trend" | "days">) {
  const begun = new Map<string, number>();
  for (const { day, requests } of days) {
    begun.set(day, (begun.get(day) ?? 0) + requests);
  }
  return new Map(trend.map(({ day, requests }) => [day, requests - (begun.get(day) ?? 0)]));
}

export function KindCharts({ overview }: { overview: Overview }) {
  const days = daysByKind({ ...overview, from: firstShownDay(overview) });
  const period = `last ${days.length} days`;
  const { requests, refused_requests: refused } = overview.total;
  const refusedOn = refusedByDay(overview);
  // Kinds that the account never used would only lengthen the legend.
  const used = USAGE_KINDS.map((kind, index) => ({ kind, index })).filter(({ kind }) =>
    overview.days.some((day) => day.kind === kind),
  );
  const series = used.map(({ kind }) => ({
    id: kind,
    name: KIND_LABELS[kind],
    color: COLORS[kind],
  }));
  const points = (figure: "cost_usd" | "requests") =>
    days.map(({ day, kinds }) => ({
      at: day,
      values: used.map(({ index }) => kinds[index]?.[figure] ?? 0),
    }));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <UsageChart
        title={`Spend by kind, ${period}`}
        total={overview.total.cost_usd}
        series={series}
        points={points("cost_usd")}
        className="h-52"
      />
      <UsageChart
        title={`Requests by kind, ${period}`}
        total={requests + refused}
        series={refused > 0 ? [...series, REFUSED] : series}
        points={points("requests").map(({ at, values }) => ({
          at,
          values: refused > 0 ? [...values, refusedOn.get(at) ?? 0] : values,
        }))}
        className="h-52"
      />
    </div>
  );
}
