"use client";

import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { cn } from "@/lib/cn";

interface SelectProps extends Omit<ComponentProps<"select">, "onChange" | "value"> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The label of an empty value. Without it, there is always a value. */
  all?: string;
  children: ReactNode;
}

/** A native select with its label. Highlighted while it filters something. */
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
  // Picks up a value chosen before hydration, or restored by the browser after a reload.
  const syncShown = useEffectEvent(() => {
    const { value: shown = value, options = [] } = select.current ?? {};
    if (shown !== value && [...options].some((option) => option.value === value)) {
      onChange(shown);
    }
  });
  useEffect(() => syncShown(), []);
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
