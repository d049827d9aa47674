"use client";

import type { ReactNode } from "react";

interface OutcomeProps {
  title: string;
  children: ReactNode;
}

/** Replaces a form that is done. Takes focus, so that screen readers announce it. */
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
