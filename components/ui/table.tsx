import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    <table
      {...props}
      className={cn(
        "w-full border-collapse bg-surface text-left [&_:is(thead,thead_tr)]:bg-inherit",
        className,
      )}
    />
  );
}

export function ColumnHead({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...props}
      className={cn(
        // Stays below the frame's header where the table sets --table-top, or at the top of its own scrolling box.
        "sticky top-(--table-top,0px) z-10 h-9 whitespace-nowrap bg-inherit px-3 font-medium text-muted text-xs shadow-[inset_0_-1px_0_var(--color-line)]",
        className,
      )}
    />
  );
}

export function Row({ className, ...props }: ComponentProps<"tr">) {
  return <tr {...props} className={cn("border-b last:border-b-0 hover:bg-sunken/50", className)} />;
}

export function Cell({ className, ...props }: ComponentProps<"td">) {
  return <td {...props} className={cn("h-12 px-3 py-2", className)} />;
}
