import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

const EDGE =
  "w-full min-w-0 rounded-md border border-control bg-surface px-2.5 text-base text-ink sm:text-sm focus-visible:outline-offset-0";

interface SelectProps extends ComponentProps<"select"> {
  /** Values with their labels. */
  options: readonly (readonly [string, string])[];
}

export function Select({ options, className, ...props }: SelectProps) {
  return (
    <select {...props} className={cn(EDGE, "h-9", className)}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** A multi-line field that grows with its text. */
export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      {...props}
      className={cn(EDGE, "field-sizing-content resize-none py-2 leading-5", className)}
    />
  );
}
