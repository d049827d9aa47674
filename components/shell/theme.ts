"use client";

import { useSyncExternalStore } from "react";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";
const CHANGED = "footnote:theme";

/** The theme the viewer chose in this browser, and a way to choose another. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, readTheme, () => "system" as const);
  return [theme, writeTheme];
}

/** What the theme script does, for a document that React made. */
export function applyStoredTheme(): void {
  try {
    const theme = localStorage.getItem(KEY);
    if (theme) {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Storage can be switched off; the viewer's system decides.
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
  try {
    if (theme === "system") {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, theme);
    }
  } catch {
    // Storage can be switched off; the choice then lasts until the next reload.
  }
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange);
  return () => window.removeEventListener(CHANGED, onChange);
}
