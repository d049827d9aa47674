"use client";

import { type ReactNode, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { Button } from "./button";
import { Input } from "./input";

const DEBOUNCE_MS = 300;

interface FilterBarProps {
  /** Null when no filter is set. */
  onClear: (() => void) | null;
  className?: string;
  /** `Select`s with an `all` option, and `SearchFilter`. */
  children: ReactNode;
}

export function FilterBar({ onClear, className, children }: FilterBarProps) {
  return (
    <fieldset className={cn("grid min-w-0 grid-cols-2 items-end gap-x-3 gap-y-2.5", className)}>
      <legend className="sr-only">Filters</legend>
      {children}
      {onClear && (
        <Button variant="ghost" className="justify-self-start" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}

interface SearchFilterProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  className?: string;
}

/** A text filter that applies once typing pauses. The `/` shortcut focuses it. */
export function SearchFilter({ label, value, onChange, ...props }: SearchFilterProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (value !== applied) {
    // Changed from outside: cleared, or by browser history.
    setApplied(value);
    setText(value);
  }
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setApplied(next.trim());
      onChange(next.trim());
    }, DEBOUNCE_MS);
  };
  return (
    <label htmlFor={id} className={cn("grid min-w-0 gap-1", props.className)}>
      <span className="text-muted text-xs">{label}</span>
      <Input
        id={id}
        type="search"
        data-list-filter
        value={text}
        maxLength={200}
        placeholder={props.placeholder}
        onChange={({ target }) => type(target.value)}
      />
    </label>
  );
}
