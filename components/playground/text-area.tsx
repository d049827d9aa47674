import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

/** A multi-line field that grows with its text. */
export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      {...props}
      className={cn(
        "field-sizing-content w-full min-w-0 resize-none rounded-md border border-control bg-surface px-2.5 py-2 text-base text-ink leading-5 focus-visible:outline-offset-0 sm:text-sm",
        className,
      )}
    />
  );
}
