"use client";

import { createContext, type ReactNode, useContext, useId, useMemo, useState } from "react";

interface Selection {
  name: string | undefined;
  /** Whether the reader has no account, and so can open public sources only. */
  isShared: boolean;
  /** The number of the selected source. */
  selected: number | null;
  select: (id: number) => void;
  /** Focuses a source in the panel and scrolls it into view. */
  reveal: (id: number) => void;
  elementId: (id: number) => string;
}

const SelectionContext = createContext<Selection | null>(null);

interface CitationScopeProps {
  /** The answer's name, such as "answer 2", when a page has several. */
  name?: string;
  isShared?: boolean;
  children: ReactNode;
}

/** Connects an answer to its source panel: selecting a marker shows its source. */
export function CitationScope({ name, isShared = false, children }: CitationScopeProps) {
  const prefix = useId();
  const [selected, select] = useState<number | null>(null);
  const selection = useMemo<Selection>(() => {
    const elementId = (id: number) => `${prefix}source-${id}`;
    return {
      name,
      isShared,
      selected,
      select,
      reveal: (id) => {
        select(id);
        document.getElementById(elementId(id))?.focus();
      },
      elementId,
    };
  }, [name, isShared, prefix, selected]);
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

/** Null outside a scope. */
export function useSelection(): Selection | null {
  return useContext(SelectionContext);
}
