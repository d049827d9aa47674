"use client";

import { useLayoutEffect } from "react";
import { applyStoredTheme } from "./theme";
import { THEME_SCRIPT } from "./theme-text";

/** Applies the stored theme before the first paint, so that a reload never flashes the other one. */
export function ThemeScript() {
  // A page that is answered by `notFound()` comes without a body and is made in the browser, where React puts
  // scripts into the document but does not run them.
  useLayoutEffect(applyStoredTheme, []);
  // The policy of every page knows it by its hash: a nonce would make each page be rendered for its request.
  return <script>{THEME_SCRIPT}</script>;
}
