"use client";

import { type ReactNode, useEffect, useRef } from "react";

/**
 * The column of the navigation. It starts at its top unless the current page is further down: by CSS before the first paint, and
 * by script where that doesn't show it.
 */
export function SideColumn({ children }: { children: ReactNode }) {
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = column.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (column.current && current) {
      const { clientHeight, scrollTop } = column.current;
      if (current.offsetTop + current.offsetHeight > scrollTop + clientHeight) {
        column.current.scrollTop = current.offsetTop - clientHeight / 2;
      }
    }
  }, []);
  return (
    <div
      ref={column}
      className="sticky top-0 hidden [&_[data-first-shown]]:[scroll-initial-target:nearest] max-h-dvh overflow-y-auto overscroll-contain py-10 lg:block"
    >
      {children}
    </div>
  );
}
