import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

interface FilterSelectProps {
  label: string;
  /** Empty: not filtered. */
  value: string;
  onChange: (value: string) => void;
  /** What an empty value is called; absent where there is always one. */
  all?: string;
  children: ReactNode;
}

/** One thing to filter by: a native list, marked while it filters. */
export function FilterSelect({ label, value, onChange, all, children }: FilterSelectProps) {
  return (
    <label className="grid min-w-0 gap-1">
      <span className="text-muted text-xs">{label}</span>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(
          // 16 px on phones, because iOS zooms into anything smaller.
          "h-9 w-full min-w-0 truncate rounded-md border border-control bg-surface px-2 text-base text-ink sm:h-8 sm:text-sm",
          all !== undefined && value && "border-accent bg-accent-soft",
        )}
      >
        {all !== undefined && <option value="">{all}</option>}
        {children}
      </select>
    </label>
  );
}
