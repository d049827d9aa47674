"use client";

import { useSyncExternalStore } from "react";

const KEY = "footnote:single-keys";
const OFF = "off";
const CHANGED = "footnote:single-keys";

let chosen: boolean | null = null;

/** Whether shortcuts of single keys work in this browser, and a way to choose: speech input may press them unasked. */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, hasSingleKeys, () => true), choose];
}

export function hasSingleKeys(): boolean {
  chosen ??= read();
  return chosen;
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== OFF;
  } catch {
    return true;
  }
}

function choose(isOn: boolean): void {
  chosen = isOn;
  try {
    if (isOn) {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, OFF);
    }
  } catch {
    // Storage can be switched off; the choice then lasts until the next reload.
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Another tab's choice counts here too. */
function subscribe(onChange: () => void): () => void {
  const take = ({ key }: StorageEvent) => {
    if (key === KEY) {
      chosen = null;
      onChange();
    }
  };
  window.addEventListener(CHANGED, onChange);
  window.addEventListener("storage", take);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener("storage", take);
  };
}
