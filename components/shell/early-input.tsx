"use client";

import { useEffect } from "react";
import { EARLY_INPUT_SCRIPT, READY_EVENT } from "./early-input-script";

/** Repeats a click, submit or Ctrl K from before the page's scripts ran. */
export function EarlyInput() {
  useEffect(() => {
    window.dispatchEvent(new Event(READY_EVENT));
  }, []);
  return <script>{EARLY_INPUT_SCRIPT}</script>;
}
