"use client";

import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import {
  type ChartPoint,
  type ChartSeries,
  type ChooseInChart,
  formatPoint,
  formatTick,
  ticksOf,
} from "./chart-point";

interface ChartPlotProps {
  series: ChartSeries[];
  points: ChartPoint[];
  formatHeight: (height: number) => string;
  onChoose: ChooseInChart | undefined;
}

const TICK = { fill: "var(--color-muted)", fontSize: 11 };

/** The plot of a chart. It has no animation, so it needs no reduced-motion variant. */
export function ChartPlot({ series, points, formatHeight, onChoose }: ChartPlotProps) {
  // The axis of a count, such as requests, must not show fractions.
  const hasParts = points.some(({ heights }) =>
    heights.some((height) => !Number.isInteger(height)),
  );
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={points}
        // Keyboards and assistive technology use the table next to it.
        accessibilityLayer={false}
        margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="15%"
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="at"
          tickFormatter={formatTick}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          ticks={ticksOf(points)}
          interval={0}
          height={22}
        />
        <YAxis
          width="auto"
          tickCount={3}
          allowDecimals={hasParts}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          tickFormatter={formatHeight}
        />
        <Tooltip
          cursor={{ fill: "var(--color-sunken)" }}
          isAnimationActive={false}
          content={(props) => <PlotTooltip {...props} series={series} />}
        />
        {series.map(({ id, name, color }, index) => (
          <Bar
            key={id}
            name={name}
            dataKey={({ heights }: ChartPoint) => heights[index] ?? 0}
            stackId="day"
            fill={color}
            maxBarSize={48}
            isAnimationActive={false}
            {...(onChoose && {
              cursor: "pointer",
              onClick: ({ payload }: { payload?: ChartPoint }) =>
                onChoose({ series: id, ...(payload && { at: payload.at }) }),
            })}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}

/** The values of the column under the pointer. */
function PlotTooltip({ active, payload, series }: TooltipContentProps & { series: ChartSeries[] }) {
  const shown: ChartPoint | undefined = active ? payload[0]?.payload : undefined;
  return (
    shown && (
      <div className="grid gap-1 rounded-md border bg-raised px-2.5 py-2 text-ink text-xs shadow-lg">
        <p className="font-medium">{formatPoint(shown.at)}</p>
        {series.map(({ id, name, color }, index) => (
          <p key={id} className="flex items-center gap-1.5 whitespace-nowrap">
            <span className="size-2 rounded-xs" style={{ background: color }} />
            <span className="text-muted">{name}</span>
            <span className="ml-auto pl-3 tabular-nums">{shown.values[index]}</span>
          </p>
        ))}
      </div>
    )
  );
}
