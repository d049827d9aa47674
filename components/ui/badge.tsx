import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";

const variants = cva(
  "inline-flex h-5 items-center rounded px-1.5 font-medium text-xs whitespace-nowrap",
  {
    variants: {
      tone: {
        neutral: "bg-sunken text-muted",
        accent: "bg-accent-soft text-accent",
        success: "bg-success-soft text-success",
        warning: "bg-warning-soft text-warning",
        danger: "bg-danger-soft text-danger",
      },
    },
  },
);

export type Tone = NonNullable<VariantProps<typeof variants>["tone"]>;

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={variants({ tone })}>{children}</span>;
}
