"use client";

import { useLayoutEffect } from "react";
import { applyStoredTheme } from "./theme";

/** Applies the stored theme before the first paint, so that a reload never flashes the other one. */
export function ThemeScript() {
  // A page that is answered by `notFound()` comes without a body and is made in the browser, where React puts
  // scripts into the document but does not run them.
  useLayoutEffect(applyStoredTheme, []);
  // Backticks, because React escapes quotes inside script text.
  return (
    <script>
      {
        "try{const t=localStorage.getItem(`theme`);if(t)document.documentElement.dataset.theme=t}catch{}"
      }
    </script>
  );
}
