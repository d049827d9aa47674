"use client";

import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { cn } from "@/lib/cn";
import { type ChartDay, type ChartSeries, formatDay } from "./chart-day";
import { Cell, ColumnHead, Row, Table } from "./table";

// The library is the largest piece of any page that has a chart, and no page needs it to be read.
const ChartPlot = lazy(async () => ({ default: (await import("./chart-plot")).ChartPlot }));

interface DayChartProps {
  title: string;
  /** What all days come to. */
  total: ReactNode;
  series: ChartSeries[];
  days: ChartDay[];
  /** What a height on the axis is called. */
  formatHeight: (height: number) => string;
  className?: string;
}

/** Columns by day, stacked. The same figures stand in a table, which is what assistive technology is given. */
export function DayChart({ title, total, series, days, formatHeight, className }: DayChartProps) {
  const id = useId();
  const [isSeen, setIsSeen] = useState(false);
  const isEmpty = days.every(({ heights }) => heights.every((height) => height === 0));
  return (
    <figure
      aria-labelledby={id}
      className={cn("grid min-w-0 content-start gap-3 rounded-lg border bg-surface p-4", className)}
      ref={isSeen ? undefined : (figure) => whenSeen(figure, () => setIsSeen(true))}
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
            Nothing in these days
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table longer than its box is scrolled by keys too.
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
          {days.map(({ day, said }) => (
            <Row key={day}>
              <th scope="row" className="whitespace-nowrap px-3 py-1 font-normal">
                {formatDay(day)}
              </th>
              {said.map((words, index) => (
                <Cell key={series[index]?.name} className="h-8 py-1 text-right tabular-nums">
                  {words}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

/** Calls once the element is about to come into view. Returns what stops waiting for that. */
function whenSeen(element: Element | null, onSeen: () => void): (() => void) | undefined {
  if (!element) {
    return;
  }
  const observer = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onSeen(),
    { rootMargin: "200px" },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
