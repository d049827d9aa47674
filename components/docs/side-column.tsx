"use client";

import { type ReactNode, useEffect, useRef } from "react";

/**
 * The column of the navigation, scrolled so that the current page is in it: by CSS before the first paint, and by script where
 * browsers lack `scroll-initial-target`.
 */
export function SideColumn({ children }: { children: ReactNode }) {
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = column.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (column.current && current) {
      const { clientHeight } = column.current;
      column.current.scrollTop = Math.max(0, current.offsetTop - clientHeight / 2);
    }
  }, []);
  return (
    <div
      ref={column}
      className="sticky top-0 hidden [&_[aria-current=page]]:[scroll-initial-target:nearest] max-h-dvh overflow-y-auto overscroll-contain py-10 lg:block"
    >
      {children}
    </div>
  );
}
