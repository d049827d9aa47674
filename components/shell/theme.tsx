"use client";

import { useLayoutEffect, useSyncExternalStore } from "react";
import { browserChoice } from "@/components/ui/browser-choice";
import { FIRST_PAINT_SCRIPT, SESSION_HINT } from "./first-paint";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The script reads it too. */
const STORED = browserChoice("theme");

/** The theme chosen in this browser, and its setter. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(STORED.subscribe, readTheme, () => "system" as const);
  return [theme, writeTheme];
}

/** Applies the stored theme and the session hint before the first paint, so that a reload never flashes. */
export function FirstPaintScript() {
  // A `notFound()` page is rendered in the browser, where React inserts scripts but does not run them.
  useLayoutEffect(applyStored, []);
  // The CSP allows it by hash. A nonce would force every page to render per request.
  return <script>{FIRST_PAINT_SCRIPT}</script>;
}

/** Does what the script does, for a document that React created. */
function applyStored(): void {
  try {
    if (document.cookie.includes(`${SESSION_HINT}=1`)) {
      document.documentElement.dataset.member = "";
    }
    const theme = STORED.read();
    if (theme) {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Storage may be disabled; the system theme applies.
  }
}

function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return THEMES.find((theme) => theme === chosen) ?? "system";
}

function writeTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") {
    delete dataset.theme;
  } else {
    dataset.theme = theme;
  }
  STORED.write(theme === "system" ? null : theme);
}
