"use client";

import { Ellipsis } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { Button } from "./button";

interface MenuItem {
  name: string;
  isDestructive?: boolean;
  onSelect: () => void;
}

interface MenuProps {
  /** Such as "Actions for Intake assistant". */
  label: string;
  items: readonly MenuItem[];
}

/** A row's actions behind one button. */
export function Menu({ label, items }: MenuProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const chosen = useRef<() => void>(undefined);
  const [main, setMain] = useState<HTMLElement | null>(null);
  // So that the menu belongs to a landmark.
  const findMain = () => setMain(trigger.current?.closest("main") ?? null);
  return (
    <DropdownMenu.Root modal={false} onOpenChange={findMain}>
      <DropdownMenu.Trigger asChild>
        <Button ref={trigger} variant="ghost" size="icon" aria-label={label}>
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={main}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-40 min-w-36 animate-appear rounded-md border bg-raised p-1 text-ink shadow-lg"
          // A dialog remembers what had the focus when it opened, so the button has it back by then.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus({ preventScroll: true });
            chosen.current?.();
            chosen.current = undefined;
          }}
        >
          {items.map(({ name, isDestructive, onSelect }) => (
            <DropdownMenu.Item
              key={name}
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
