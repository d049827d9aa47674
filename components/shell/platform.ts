"use client";

import { useSyncExternalStore } from "react";

/** Whether shortcuts have the Command key here. Asked at each key press, so it asks nothing of the page. */
export function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

/** The keys that open the palette, as they stand on the keyboard. */
export function useChord(letter: string): readonly [string, string] {
  const onApple = useSyncExternalStore(never, isApple, () => false);
  return [onApple ? "⌘" : "Ctrl", letter.toUpperCase()];
}

function never(): () => void {
  return () => undefined;
}
