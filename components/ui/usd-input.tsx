import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";
import { Input } from "./input";

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
