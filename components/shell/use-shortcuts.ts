"use client";

import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { hasSingleKeys } from "./hotkeys";
import { type Command, isField, type KeyContext, type PendingKey, readPress } from "./shortcuts";

const OVERLAYS = '[role="dialog"], [role="alertdialog"], dialog[open], [popover]:popover-open';

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

/** Whether shortcuts use the Command key. */
function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

/** A chord as the keyboard labels it, such as ["Ctrl", "K"]. */
export function useChord(letter: string): readonly [string, string] {
  const onApple = useSyncExternalStore(
    () => () => undefined,
    isApple,
    () => false,
  );
  return [onApple ? "⌘" : "Ctrl", letter.toUpperCase()];
}
