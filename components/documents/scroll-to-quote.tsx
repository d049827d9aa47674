"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { showQuote } from "./quote-notice";

/**
 * Scrolls to the quote when a link of another page opens this one: a permalink has no fragment. In a page that the
 * browser loads, `autofocus` does it, because scripts may run long after.
 */
export function ScrollToQuote() {
  const isHydrating = useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  );
  const [isLoaded] = useState(isHydrating);
  useEffect(() => {
    if (!isLoaded) {
      showQuote();
    }
  }, [isLoaded]);
  return null;
}

function subscribe(): () => void {
  return () => {};
}
