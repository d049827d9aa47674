"use client";

import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { cn } from "@/lib/cn";

interface SelectProps extends Omit<ComponentProps<"select">, "onChange" | "value"> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** What an empty value is called, where there may be one. */
  all?: string;
  children: ReactNode;
}

/** The browser's own list with its label; marked while it narrows something down. */
export function Select({
  label,
  value,
  onChange,
  all,
  children,
  className,
  ...props
}: SelectProps) {
  const select = useRef<HTMLSelectElement>(null);
  // Chosen before the page had its script, or kept by the browser over a reload: what is shown is what counts.
  const takeShown = useEffectEvent(() => {
    const { value: shown = value, options = [] } = select.current ?? {};
    if (shown !== value && [...options].some((option) => option.value === value)) {
      onChange(shown);
    }
  });
  useEffect(() => takeShown(), []);
  return (
    <label className={cn("grid min-w-0 gap-1", className)}>
      <span className="text-muted text-xs">{label}</span>
      <select
        {...props}
        ref={select}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(
          // 16 px on phones, because iOS zooms into anything smaller.
          "h-9 w-full min-w-0 truncate rounded-md border border-control bg-surface px-2 text-base text-ink sm:text-sm",
          all !== undefined && value && "border-accent bg-accent-soft",
        )}
      >
        {all !== undefined && <option value="">{all}</option>}
        {children}
      </select>
    </label>
  );
}
