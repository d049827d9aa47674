"use client";

import { Toaster as Sonner, type ToasterProps } from "sonner";

/** Renders the messages of `toast`. */
export function Toaster({ theme }: Pick<ToasterProps, "theme">) {
  return (
    <Sonner
      theme={theme}
      position="bottom-right"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-2.5 rounded-md border bg-raised p-3 font-sans text-ink text-sm shadow-lg",
          description: "text-muted",
          error: "text-danger",
        },
      }}
    />
  );
}
