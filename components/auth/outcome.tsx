"use client";

import type { ReactNode } from "react";

interface OutcomeProps {
  title: string;
  children: ReactNode;
}

/** What stands in a form's place when there is nothing left to fill in; takes the focus, so that it is read out. */
export function Outcome({ title, children }: OutcomeProps) {
  return (
    <section
      ref={(element) => element?.focus()}
      tabIndex={-1}
      aria-label={title}
      className="grid gap-3 outline-none"
    >
      <h2 className="font-medium text-base">{title}</h2>
      {children}
    </section>
  );
}
