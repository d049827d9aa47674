"use client";

import { useEffect } from "react";
import { showQuote } from "./quote-notice";

/** Scrolls to the quote when the page opens: a permalink has no fragment. */
export function ScrollToQuote() {
  useEffect(() => {
    showQuote();
  }, []);
  return null;
}
