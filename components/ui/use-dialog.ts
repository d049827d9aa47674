"use client";

import { startTransition, useRef, useState } from "react";

/** What every dialog gets from `useDialog`. */
export interface DialogHandlers {
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * Which dialog of a page is open. On closing, focus returns to the element that opened the first one, or to `fallback`
 * when that element is gone.
 */
export function useDialog<T, E extends HTMLElement = HTMLElement>() {
  const [open, setOpen] = useState<T | null>(null);
  const opener = useRef<Element | null>(null);
  const fallback = useRef<E>(null);
  const isOpen = useRef(false);
  const afterClose = useRef<(() => void) | undefined>(undefined);
  const close = (then?: () => void) => {
    isOpen.current = false;
    afterClose.current = then;
    setOpen(null);
  };
  const handlers: DialogHandlers = {
    onClose: () => close(),
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      // One dialog may have opened another, which has the focus now.
      if (!isOpen.current) {
        const target = opener.current?.isConnected ? opener.current : fallback.current;
        (target as HTMLElement | null)?.focus({ preventScroll: true });
        afterClose.current?.();
        afterClose.current = undefined;
      }
    },
  };
  return {
    open,
    fallback,
    handlers,
    show: (next: T) => {
      if (!isOpen.current) {
        const { activeElement, body } = document;
        // A dialog that the URL opens has no opener.
        opener.current = activeElement === body ? null : activeElement;
      }
      isOpen.current = true;
      // The page stays as it is until the dialog's code is loaded.
      startTransition(() => setOpen(next));
    },
    /** `then` runs once focus is back, because it may move it elsewhere. */
    close,
    /** Closes after the action removed the opener, so that focus goes to `fallback`. */
    finish: () => {
      opener.current = null;
      close();
    },
  };
}
