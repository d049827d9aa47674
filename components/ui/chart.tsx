"use client";

import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { type ChartDay, type ChartSeries, formatDay } from "./chart-day";
import { Cell, ColumnHead, Row, Table } from "./table";
import { useInView } from "./use-in-view";

// The charting library is the largest part of the page, and the page is readable without it.
const ChartPlot = lazy(async () => ({ default: (await import("./chart-plot")).ChartPlot }));

interface DayChartProps {
  title: string;
  /** The sum of all days. */
  total: ReactNode;
  series: ChartSeries[];
  days: ChartDay[];
  /** Formats a value for the axis. */
  formatHeight: (height: number) => string;
}

/** A stacked column chart by day. Assistive technology gets the same figures as a table. */
export function DayChart({ title, total, series, days, formatHeight }: DayChartProps) {
  const id = useId();
  const [isSeen, setIsSeen] = useState(false);
  const figure = useInView<HTMLElement>(!isSeen, () => setIsSeen(true), "200px");
  const isEmpty = days.every(({ heights }) => heights.every((height) => height === 0));
  return (
    <figure
      aria-labelledby={id}
      className="grid min-w-0 content-start gap-3 rounded-lg border bg-surface p-4"
      ref={figure}
    >
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span id={id} className="font-medium">
          {title}
        </span>
        <span className="font-medium tabular-nums">{total}</span>
      </figcaption>
      <div aria-hidden className="h-36">
        {isEmpty && (
          <p className="grid h-full place-items-center rounded-md bg-sunken text-muted text-xs">
            No data for this period
          </p>
        )}
        {!isEmpty && isSeen && (
          <Suspense>
            <ChartPlot series={series} days={days} formatHeight={formatHeight} />
          </Suspense>
        )}
      </div>
      {series.length > 1 && (
        <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
          {series.map(({ name, color }) => (
            <li key={name} className="flex items-center gap-1.5">
              <span className="size-2.5 rounded-xs" style={{ background: color }} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <details className="min-w-0">
        <summary className="w-fit cursor-pointer rounded-sm text-muted text-xs hover:text-ink">
          Show as table<span className="sr-only">: {title}</span>
        </summary>
        <DayTable title={title} series={series} days={days} />
      </details>
    </figure>
  );
}

function DayTable({ title, series, days }: Pick<DayChartProps, "title" | "series" | "days">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must scroll by keyboard too.
    <div tabIndex={0} className="mt-2 max-h-72 overflow-auto rounded-md border">
      <Table>
        <caption className="sr-only">{title} (UTC)</caption>
        <thead>
          <tr>
            <ColumnHead>Day</ColumnHead>
            {series.map(({ name }) => (
              <ColumnHead key={name} className="text-right">
                {name}
              </ColumnHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, values }) => (
            <Row key={day}>
              <th scope="row" className="whitespace-nowrap px-3 py-1 font-normal">
                {formatDay(day)}
              </th>
              {values.map((value, index) => (
                <Cell key={series[index]?.name} className="h-8 py-1 text-right tabular-nums">
                  {value}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
