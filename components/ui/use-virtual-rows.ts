"use client";

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type FocusEvent, type RefCallback, useRef, useState } from "react";

const OVERSCAN = 10;

interface VirtualRowsOptions {
  count: number;
  /** The height of a row before it is measured. */
  rowHeight: number;
  keyOf: (index: number) => string | undefined;
}

export interface VirtualRowProps {
  ref: RefCallback<Element>;
  "data-index": number;
  style: CSSProperties;
}

/**
 * Renders the rows in and near the window, and the focused one, which would lose focus if it were removed. Spread
 * `listProps` on a positioned container and `props` on each row.
 */
export function useVirtualRows<E extends HTMLElement>(options: VirtualRowsOptions) {
  const list = useRef<E>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const virtual = useWindowVirtualizer({
    count: options.count,
    estimateSize: () => options.rowHeight,
    overscan: OVERSCAN,
    scrollMargin: topOf(list.current),
    getItemKey: (index) => options.keyOf(index) ?? index,
    rangeExtractor: (range) => includeFocused(range, focused),
  });
  const { scrollMargin } = virtual.options;
  return {
    listProps: {
      ref: list,
      style: { height: virtual.getTotalSize() },
      onFocus: ({ target }: FocusEvent<E>) => setFocused(indexOf(target)),
      onBlur: () => setFocused(null),
    },
    rows: virtual.getVirtualItems().map(({ index, start }) => ({
      index,
      props: {
        ref: virtual.measureElement,
        "data-index": index,
        style: {
          position: "absolute",
          insetInline: 0,
          transform: `translateY(${start - scrollMargin}px)`,
        } as const,
      },
    })),
  };
}

function includeFocused(range: Range, focused: number | null): number[] {
  const indexes = defaultRangeExtractor(range);
  return focused === null || focused >= range.count || indexes.includes(focused)
    ? indexes
    : [...indexes, focused].toSorted((a, b) => a - b);
}

function indexOf(target: Element): number | null {
  const index = target.closest<HTMLElement>("[data-index]")?.dataset.index;
  return index === undefined ? null : Number(index);
}

function topOf(element: Element | null): number {
  return element ? element.getBoundingClientRect().top + window.scrollY : 0;
}
