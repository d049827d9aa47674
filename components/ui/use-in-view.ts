"use client";

import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

/** Calls `onInView` when the element comes within `margin` of the window, as long as `isEnabled`. */
export function useInView<E extends HTMLElement>(
  isEnabled: boolean,
  onInView: () => unknown,
  margin = "800px",
): RefObject<E | null> {
  const element = useRef<E>(null);
  const notify = useEffectEvent(() => void onInView());
  useEffect(() => {
    if (!isEnabled || !element.current) {
      return;
    }
    const observer = new IntersectionObserver(
      // A busy page gets several changes at once; only the last one is current.
      (entries) => entries.at(-1)?.isIntersecting && notify(),
      { rootMargin: margin },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isEnabled, margin]);
  return element;
}
