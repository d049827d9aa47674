"use client";

import { startTransition, useRef, useState } from "react";
import type { RequestBody } from "./settings";

type OpenDialog = { kind: "settings" } | { kind: "code"; request: RequestBody };

/** Which dialog is open; afterwards the focus returns to what opened it. */
export function useDialogs() {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const opener = useRef<Element | null>(null);
  return {
    open,
    show: (next: OpenDialog) => {
      opener.current = document.activeElement;
      // The page stays as it is until the dialog's code is there.
      startTransition(() => setOpen(next));
    },
    close: () => setOpen(null),
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      (opener.current as HTMLElement | null)?.focus({ preventScroll: true });
    },
  };
}
