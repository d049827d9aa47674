"use client";

import { useSyncExternalStore } from "react";

/** Whether shortcuts use the Command key. */
export function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

/** A chord as the keyboard labels it, such as ["Ctrl", "K"]. */
export function useChord(letter: string): readonly [string, string] {
  const onApple = useSyncExternalStore(
    () => () => undefined,
    isApple,
    () => false,
  );
  return [onApple ? "⌘" : "Ctrl", letter.toUpperCase()];
}
