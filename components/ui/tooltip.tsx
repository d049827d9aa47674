"use client";

import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

export const TooltipProvider = Primitive.Provider;

/** A short text shown while its child is pointed at or focused. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      {/* Out of what clips it, yet inside the page's landmark. */}
      <Primitive.Portal container={globalThis.document?.querySelector("main")}>
        <Primitive.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-xs animate-appear rounded bg-ink px-2 py-1 text-canvas text-xs"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
