"use client";

import { useEffect } from "react";

/** Says that the page's scripts run now; `scripts/scripts-on-use.mjs` then repeats what was done before. */
export function ScriptsReady() {
  useEffect(() => {
    window.dispatchEvent(new Event("footnote:ready"));
  }, []);
  return null;
}
