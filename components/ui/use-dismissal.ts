"use client";

import { useRef, useState } from "react";

/** Hides part of a page for good. Focus then moves to the part's container, because the pressed button is gone. */
export function useDismissal(initial: boolean, onDismiss: () => void) {
  const [isDismissed, setIsDismissed] = useState(initial);
  const container = useRef<HTMLDivElement>(null);
  const dismiss = () => {
    setIsDismissed(true);
    onDismiss();
    container.current?.focus({ preventScroll: true });
  };
  return { isDismissed, dismiss, container };
}
