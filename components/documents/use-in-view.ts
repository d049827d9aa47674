"use client";

import { type RefObject, useEffect, useRef } from "react";

/** How far outside the window something counts as near. */
const AHEAD = "800px";

/** Calls `act` when the element comes near the window, as long as `isWanted`. */
export function useComingNear<Element extends HTMLElement>(
  isWanted: boolean,
  act: () => unknown,
): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => {
    if (!isWanted || !element.current) {
      return;
    }
    const observer = new IntersectionObserver(
      // A busy page hears of several changes at once; the last one is how it is.
      (entries) => entries.at(-1)?.isIntersecting && void act(),
      { rootMargin: AHEAD },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isWanted, act]);
  return element;
}
