"use client";

import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { type Command, isField, type KeyContext, type PendingKey, readPress } from "./shortcuts";
import { isApple } from "./use-chord";

const OVERLAYS = '[role="dialog"], [role="alertdialog"], dialog[open], [popover]:popover-open';

/** In local storage, and the event of a change. */
const KEY = "footnote:single-keys";
const OFF = "off";

interface ShortcutsOptions {
  /** The palette or the shortcuts dialog is open, where only the palette's chord works. */
  isOpen: boolean;
  /** Returns false if there was nothing to do, and the browser should handle the key. */
  run: (command: Command) => boolean;
}

/** Listens for shortcuts on the whole page. */
export function useShortcuts({ isOpen, run }: ShortcutsOptions): void {
  const pending = useRef<PendingKey | null>(null);
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) {
      return;
    }
    const when = { pending: pending.current, at: event.timeStamp };
    const outcome = readPress(event, contextOf(event, isOpen), when);
    pending.current = outcome.pending;
    if (outcome.command && run(outcome.command)) {
      event.preventDefault();
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handle(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function contextOf(event: KeyboardEvent, isOpen: boolean): KeyContext {
  const [target] = event.composedPath();
  return {
    isApple: isApple(),
    isTyping: isOpen || (target instanceof Element && isField(target)),
    isCovered: !isOpen && document.querySelector(OVERLAYS) !== null,
    hasSingleKeys: hasSingleKeys(),
  };
}

let cached: boolean | null = null;

/** Whether single-key shortcuts are on in this browser. Speech input can press keys by accident. */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, hasSingleKeys, () => true), setSingleKeys];
}

function hasSingleKeys(): boolean {
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
  window.dispatchEvent(new Event(KEY));
}

/** Follows changes in other tabs too. */
function subscribe(onChange: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY) {
      cached = null;
      onChange();
    }
  };
  window.addEventListener(KEY, onChange);
  window.addEventListener("storage", onStorage);
  return () => {
    window.removeEventListener(KEY, onChange);
    window.removeEventListener("storage", onStorage);
  };
}
