"use client";

import { useSyncExternalStore } from "react";

const KEY = "footnote:single-keys";
const OFF = "off";
const CHANGED = "footnote:single-keys";

let cached: boolean | null = null;

/** Whether single-key shortcuts are on in this browser. Speech input can press keys by accident. */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, hasSingleKeys, () => true), setSingleKeys];
}

export function hasSingleKeys(): boolean {
  cached ??= read();
  return cached;
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== OFF;
  } catch {
    return true;
  }
}

function setSingleKeys(isOn: boolean): void {
  cached = isOn;
  try {
    if (isOn) {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, OFF);
    }
  } catch {
    // Storage may be disabled; the choice then lasts until a reload.
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Follows changes in other tabs too. */
function subscribe(onChange: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY) {
      cached = null;
      onChange();
    }
  };
  window.addEventListener(CHANGED, onChange);
  window.addEventListener("storage", onStorage);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener("storage", onStorage);
  };
}
