"use client";

import { useRef, useState } from "react";
import { toast } from "@/components/ui/toast";

export type CommandDialog = "palette" | "shortcuts";

/** Which of the two is open. Afterwards the focus returns to where it was before the first of them. */
export function useCommandDialogs(loaders: Record<CommandDialog, () => Promise<unknown>>) {
  const [open, setOpen] = useState<CommandDialog | null>(null);
  const opener = useRef<Element | null>(null);
  const isOpen = useRef(false);
  const after = useRef<(() => void) | undefined>(undefined);
  const load = async (dialog: CommandDialog) => {
    try {
      await loaders[dialog]();
      isOpen.current = true;
      setOpen(dialog);
    } catch {
      formatNotOpened();
    }
  };
  return {
    open,
    show: (dialog: CommandDialog) => {
      if (!isOpen.current) {
        opener.current = document.activeElement;
      }
      void load(dialog);
    },
    /** What is still to be done is done once the focus is back: it may want it elsewhere. */
    close: (then?: () => void) => {
      isOpen.current = false;
      after.current = then;
      setOpen(null);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // One may have led to the other, which has the focus now.
      if (!isOpen.current) {
        (opener.current as HTMLElement | null)?.focus({ preventScroll: true });
        after.current?.();
        after.current = undefined;
      }
    },
  };
}

/** Code that is fetched when it is first needed may not come. */
export function formatNotOpened(): void {
  toast.error("That did not open: the server could not be reached. Try again.");
}
