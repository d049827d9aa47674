import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return (
    <input
      {...props}
      className={cn(
        // 16 px on phones, because iOS zooms into anything smaller.
        "h-9 w-full min-w-0 rounded-md border border-control bg-surface px-2.5 text-base text-ink sm:text-sm",
        "aria-invalid:border-danger focus-visible:outline-offset-0",
        className,
      )}
    />
  );
}

export function UsdInput({ className, ...props }: ComponentProps<"input">) {
  return (
    <div className="relative">
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-base text-muted sm:text-sm"
      >
        $
      </span>
      <Input
        inputMode="decimal"
        autoComplete="off"
        {...props}
        className={cn("pl-6 tabular-nums", className)}
      />
    </div>
  );
}
