import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export function Table({ className, ...props }: ComponentProps<"table">) {
  return <table {...props} className={cn("w-full border-collapse text-left", className)} />;
}

export function ColumnHead({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...props}
      className={cn(
        "h-9 whitespace-nowrap border-b px-3 font-medium text-muted text-xs",
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
