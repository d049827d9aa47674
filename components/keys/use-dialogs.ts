"use client";

import { startTransition, useRef, useState } from "react";

export type OpenDialog =
  | { kind: "create" }
  | { kind: "details" | "edit" | "rotate" | "revoke"; id: string };

export type ShowDialog = (dialog: OpenDialog) => void;

/** What a dialog needs to end well. */
export interface DialogEnd {
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * Which dialog is open. Afterwards the focus returns to what opened the first of them, or to the list
 * when that is gone: a revoked key no longer has its button.
 */
export function useDialogs() {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const opener = useRef<Element | null>(null);
  const list = useRef<HTMLElement>(null);
  const isOpen = useRef(false);
  return {
    open,
    list,
    show: (next: OpenDialog) => {
      if (!isOpen.current) {
        const { activeElement, body } = document;
        // Nothing has the focus yet where the page's address asked for the dialog.
        opener.current = activeElement === body ? null : activeElement;
      }
      isOpen.current = true;
      // The page stays as it is until the dialog's code is there.
      startTransition(() => setOpen(next));
    },
    close: () => {
      isOpen.current = false;
      setOpen(null);
    },
    /** Closes after the opener has done its work for good, so that the focus goes to the list. */
    finish: () => {
      opener.current = list.current;
      isOpen.current = false;
      setOpen(null);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // One dialog may have led to another, which has the focus now.
      if (!isOpen.current) {
        const target = opener.current?.isConnected ? opener.current : list.current;
        (target as HTMLElement | null)?.focus({ preventScroll: true });
      }
    },
  };
}
