"use client";

import { useEffect } from "react";

/** Says that the page's scripts run now; `scripts/defer-scripts.mjs` then repeats what was done before. */
export function ScriptsReady() {
  useEffect(() => {
    window.dispatchEvent(new Event("footnote:ready"));
  }, []);
  return null;
}
