"use client";

import { DropdownMenu } from "radix-ui";
import { type RefObject, useRef } from "react";
import { cn } from "@/lib/cn";

export interface MenuItem {
  name: string;
  isDestructive?: boolean;
  onSelect: () => void;
}

interface MenuPanelProps {
  label: string;
  items: readonly MenuItem[];
  /** The menu's button. */
  trigger: RefObject<HTMLButtonElement | null>;
  /** Whether it was opened by a key, which then moves to the first item. */
  isByKeyboard: boolean;
  onClose: () => void;
}

/** The open list of a menu. */
export function MenuPanel({ label, items, trigger, isByKeyboard, onClose }: MenuPanelProps) {
  const first = useRef<HTMLDivElement>(null);
  const chosen = useRef<() => void>(undefined);
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {/* The list is placed by this cover of the button. */}
      <DropdownMenu.Trigger asChild>
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </DropdownMenu.Trigger>
      {/* So that the menu belongs to a landmark. */}
      <DropdownMenu.Portal container={trigger.current?.closest("main")}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          aria-labelledby={undefined}
          className="z-40 min-w-36 animate-appear rounded-md border bg-raised p-1 text-ink shadow-lg"
          onFocus={({ target, currentTarget }) => {
            if (isByKeyboard && target === currentTarget) {
              first.current?.focus();
            }
          }}
          // The button closes it by its own click.
          onPointerDownOutside={(event) => {
            if (trigger.current?.contains(event.target as Node)) {
              event.preventDefault();
            }
          }}
          // A dialog remembers what had the focus when it opened, so the button has it back by then.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus({ preventScroll: true });
            chosen.current?.();
          }}
        >
          {items.map(({ name, isDestructive, onSelect }, index) => (
            <DropdownMenu.Item
              key={name}
              ref={index === 0 ? first : undefined}
              onSelect={() => {
                chosen.current = onSelect;
              }}
              className={cn(
                "flex h-8 cursor-default select-none items-center rounded px-2 outline-none data-highlighted:bg-sunken",
                isDestructive && "text-danger",
              )}
            >
              {name}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
