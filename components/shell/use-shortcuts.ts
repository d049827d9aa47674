"use client";

import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { browserChoice } from "@/components/ui/browser-choice";
import { type Command, isField, type KeyContext, type PendingKey, readPress } from "./shortcuts";
import { isApple } from "./use-chord";

const OVERLAYS = '[role="dialog"], [role="alertdialog"], dialog[open], [popover]:popover-open';

const SINGLE_KEYS = browserChoice("footnote:single-keys");
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

/** Whether single-key shortcuts are on in this browser. Speech input can press keys by accident. */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(SINGLE_KEYS.subscribe, hasSingleKeys, () => true);
  return [isOn, (next) => SINGLE_KEYS.write(next ? null : OFF)];
}

function hasSingleKeys(): boolean {
  return SINGLE_KEYS.read() !== OFF;
}
