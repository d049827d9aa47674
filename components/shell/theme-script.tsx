"use client";

import { useLayoutEffect } from "react";
import { applyStoredTheme } from "./theme";
import { THEME_SCRIPT } from "./theme-text";

/** Applies the stored theme before the first paint, so that a reload never flashes the other theme. */
export function ThemeScript() {
  // A `notFound()` page is rendered in the browser, where React inserts scripts but does not run them.
  useLayoutEffect(applyStoredTheme, []);
  // The CSP allows it by hash. A nonce would force every page to render per request.
  return <script>{THEME_SCRIPT}</script>;
}
