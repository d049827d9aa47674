"use client";

import { Check } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import type { ReactNode } from "react";

const ITEM =
  "flex min-h-8 select-none items-center gap-2 rounded px-2 outline-none data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:text-muted";

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode;
  children: ReactNode;
}

export function Menu({ trigger, children }: MenuProps) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      {/* No portal: it stays in the landmark of its trigger. */}
      <Primitive.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className="z-50 min-w-52 max-w-[calc(100vw-1rem)] animate-appear rounded-md border bg-raised p-1 shadow-lg"
      >
        {children}
      </Primitive.Content>
    </Primitive.Root>
  );
}

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Primitive.Item className={ITEM} onSelect={onSelect}>
      {children}
    </Primitive.Item>
  );
}

interface MenuChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
}

/** One of a few settings, chosen inside a menu that stays open meanwhile. */
export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChange,
}: MenuChoiceProps<T>) {
  return (
    <Primitive.RadioGroup
      value={value}
      onValueChange={(next) => onChange(next as T)}
      aria-label={label}
    >
      <Primitive.Label className="px-2 pt-1.5 pb-1 text-muted text-xs">{label}</Primitive.Label>
      {options.map((option) => (
        <Primitive.RadioItem
          key={option.value}
          value={option.value}
          className={ITEM}
          onSelect={(event) => event.preventDefault()}
        >
          <span className="flex-1">{option.label}</span>
          <Primitive.ItemIndicator>
            <Check aria-hidden />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="grid px-2 py-1.5">{children}</Primitive.Label>;
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 border-t" />;
}
