"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { hasSingleKeys } from "./hotkeys";
import { isApple } from "./platform";
import { type Begun, type Command, isField, readPress, type Situation } from "./shortcuts";

const COVERS = '[role="dialog"], [role="alertdialog"], dialog[open], [popover]:popover-open';

interface ShortcutsOptions {
  /** The palette or the list of shortcuts is open: only the palette's chord works there. */
  isOpen: boolean;
  /** False: there was nothing to do, and the key keeps the browser's meaning. */
  run: (command: Command) => boolean;
}

/** Listens for the shortcuts on the whole page. */
export function useShortcuts({ isOpen, run }: ShortcutsOptions): void {
  const begun = useRef<Begun | null>(null);
  const take = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) {
      return;
    }
    const when = { begun: begun.current, at: event.timeStamp };
    const outcome = readPress(event, situationOf(event, isOpen), when);
    begun.current = outcome.begun;
    if (outcome.command && run(outcome.command)) {
      event.preventDefault();
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => take(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function situationOf(event: KeyboardEvent, isOpen: boolean): Situation {
  const [target] = event.composedPath();
  return {
    isApple: isApple(),
    isTyping: isOpen || (target instanceof Element && isField(target)),
    isCovered: !isOpen && document.querySelector(COVERS) !== null,
    hasSingleKeys: hasSingleKeys(),
  };
}
