"use client";

import { Tabs as Primitive } from "radix-ui";
import type { PointerEvent, ReactNode, SyntheticEvent } from "react";

/** Radix moves focus by script, so browsers would show the ring of the keyboard after a click too. */
export const pressEvents = {
  onPointerDown: ({ currentTarget }: PointerEvent<HTMLElement>) => {
    currentTarget.dataset.pressed = "";
  },
  onKeyDown: forgetPress,
  onBlur: forgetPress,
};

function forgetPress({ currentTarget }: SyntheticEvent<HTMLElement>) {
  delete currentTarget.dataset.pressed;
}

interface TabsProps {
  label: string;
  tabs: readonly { id: string; label: string; content: ReactNode }[];
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Primitive.Root defaultValue={tabs[0]?.id ?? ""}>
      <Primitive.List aria-label={label} className="mb-2 flex gap-1 border-b">
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.id}
            value={tab.id}
            {...pressEvents}
            className="-mb-px h-9 border-transparent border-b-2 px-3 data-pressed:outline-none text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.id} value={tab.id} tabIndex={-1}>
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
