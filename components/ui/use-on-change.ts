import { useEffect, useRef } from "react";

/** Hands on what a value becomes after the page was drawn, and not the value that it was drawn with. */
export function useLater<T>(value: T, take: (value: T) => void): void {
  const last = useRef(value);
  useEffect(() => {
    if (last.current !== value) {
      last.current = value;
      take(value);
    }
  });
}
