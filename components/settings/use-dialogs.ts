"use client";

import { startTransition, useRef, useState } from "react";

/** What a dialog needs to end well. */
export interface DialogEnd {
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Which dialog is open. Afterwards the focus returns to what opened it, or to the list when that is gone. */
export function useDialogs<T extends { kind: string }>() {
  const [open, setOpen] = useState<T | null>(null);
  const opener = useRef<Element | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const end: DialogEnd = {
    onClose: () => setOpen(null),
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      const target = opener.current?.isConnected ? opener.current : list.current;
      (target as HTMLElement | null)?.focus({ preventScroll: true });
    },
  };
  return {
    open,
    list,
    end,
    show: (next: T) => {
      opener.current = document.activeElement;
      // The page stays as it is until the dialog's code is there.
      startTransition(() => setOpen(next));
    },
  };
}
