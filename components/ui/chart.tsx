"use client";

import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { cn } from "@/lib/cn";
import { type ChartPoint, type ChartSeries, type ChooseInChart, formatPoint } from "./chart-point";
import { Cell, ColumnHead, Row, Table } from "./table";
import { useInView } from "./use-in-view";

// The charting library is the largest part of the page, and the page is readable without it.
const ChartPlot = lazy(async () => ({ default: (await import("./chart-plot")).ChartPlot }));

interface ColumnChartProps {
  title: string;
  /** The sum of all columns. */
  total: ReactNode;
  series: ChartSeries[];
  points: ChartPoint[];
  /** Formats a value for the axis. */
  formatHeight: (height: number) => string;
  /** Makes columns, the names of series and the times of the table choices. */
  onChoose?: ChooseInChart | undefined;
  className?: string;
}

/** A stacked column chart by day or hour. Assistive technology gets the same figures as a table. */
export function ColumnChart({ title, total, series, points, ...props }: ColumnChartProps) {
  const { formatHeight, onChoose } = props;
  const id = useId();
  const [isSeen, setIsSeen] = useState(false);
  const figure = useInView<HTMLElement>(!isSeen, () => setIsSeen(true), "200px");
  const isEmpty = points.every(({ heights }) => heights.every((height) => height === 0));
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
      <div aria-hidden className={cn("h-36", props.className)}>
        {isEmpty && (
          <p className="grid h-full place-items-center rounded-md bg-sunken text-muted text-xs">
            No data for this period
          </p>
        )}
        {!isEmpty && isSeen && (
          <Suspense>
            <ChartPlot
              series={series}
              points={points}
              formatHeight={formatHeight}
              onChoose={onChoose}
            />
          </Suspense>
        )}
      </div>
      {series.length > 1 && <Legend series={series} onChoose={onChoose} />}
      <details className="min-w-0">
        <summary className="w-fit cursor-pointer rounded-sm text-muted text-xs hover:text-ink">
          Show as table<span className="sr-only">: {title}</span>
        </summary>
        <PointTable title={title} series={series} points={points} onChoose={onChoose} />
      </details>
    </figure>
  );
}

type PartProps = Pick<ColumnChartProps, "series" | "onChoose">;

function Legend({ series, onChoose }: PartProps) {
  return (
    <ul aria-hidden={!onChoose} className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      {series.map(({ id, name, color }) => (
        <li key={id} className="flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-xs" style={{ background: color }} />
          {onChoose ? (
            <button
              type="button"
              className="min-h-6 rounded-sm hover:text-ink hover:underline"
              onClick={() => onChoose({ series: id })}
            >
              {name}
            </button>
          ) : (
            name
          )}
        </li>
      ))}
    </ul>
  );
}

type PointTableProps = PartProps & Pick<ColumnChartProps, "title" | "points">;

function PointTable({ title, series, points, onChoose }: PointTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must scroll by keyboard too.
    <div tabIndex={0} className="mt-2 max-h-72 overflow-auto rounded-md border">
      <Table>
        <caption className="sr-only">{title} (UTC)</caption>
        <thead>
          <tr>
            <ColumnHead>Time</ColumnHead>
            {series.map(({ id, name }) => (
              <ColumnHead key={id} className="text-right">
                {name}
              </ColumnHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, values }) => (
            <Row key={at}>
              <th scope="row" className="whitespace-nowrap px-3 py-1 font-normal">
                {onChoose ? (
                  <button
                    type="button"
                    className="min-h-6 rounded-sm underline-offset-4 hover:underline"
                    onClick={() => onChoose({ at })}
                  >
                    {formatPoint(at)}
                  </button>
                ) : (
                  formatPoint(at)
                )}
              </th>
              {values.map((value, index) => (
                <Cell key={series[index]?.id} className="h-8 py-1 text-right tabular-nums">
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
