"use client";

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import type { LoggedRequest } from "@/lib/usage/schema";
import { RequestRow } from "./request-row";

/** Before a row was measured: one of one line. */
const ROW_PX = 42;
const OVERSCAN = 12;

interface VirtualRowsProps {
  requests: LoggedRequest[];
  places: number;
}

/** The rows in and near the window, and the one that has the focus, which would be lost with it. */
export function VirtualRows({ requests, places }: VirtualRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const virtual = useWindowVirtualizer({
    count: requests.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: topOf(body.current),
    getItemKey: (index) => requests[index]?.id ?? index,
    rangeExtractor: (range) => withFocused(range, focused),
  });
  return (
    <tbody
      ref={body}
      className="relative block"
      style={{ height: virtual.getTotalSize() }}
      onFocus={(event) => setFocused(indexOf(event.target))}
      onBlur={() => setFocused(null)}
    >
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const request = requests[index];
        return (
          request && (
            <RequestRow
              key={key}
              request={request}
              places={places}
              index={index}
              top={start - virtual.options.scrollMargin}
              measure={virtual.measureElement}
            />
          )
        );
      })}
    </tbody>
  );
}

function withFocused(range: Range, focused: number | null): number[] {
  const indexes = defaultRangeExtractor(range);
  return focused === null || indexes.includes(focused) || focused >= range.count
    ? indexes
    : [...indexes, focused].toSorted((a, b) => a - b);
}

function indexOf(target: Element): number | null {
  const index = target.closest("tr")?.dataset.index;
  return index === undefined ? null : Number(index);
}

/** How far the list begins below the top of the page. */
function topOf(element: Element | null): number {
  return element ? element.getBoundingClientRect().top + window.scrollY : 0;
}
