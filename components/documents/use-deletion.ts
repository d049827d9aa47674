"use client";

import { startTransition, useRef, useState } from "react";
import type { Document } from "@/lib/documents/schema";

type Asked = Pick<Document, "id" | "title">;

/** Which document is asked about. Afterwards the focus returns to its button, or to the list when both are gone. */
export function useDeletion<Element extends HTMLElement>() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const opener = useRef<globalThis.Element | null>(null);
  const list = useRef<Element>(null);
  return {
    asked,
    list,
    ask: (document: Asked) => {
      opener.current = window.document.activeElement;
      // The page stays as it is until the dialog's code is there.
      startTransition(() => setAsked(document));
    },
    close: () => setAsked(null),
    finish: () => {
      opener.current = list.current;
      setAsked(null);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const target = opener.current?.isConnected ? opener.current : list.current;
      (target as HTMLElement | null)?.focus({ preventScroll: true });
    },
  };
}
