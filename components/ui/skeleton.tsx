import { cn } from "@/lib/cn";

/** Holds the place of something that is being read. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("h-4 animate-pulse rounded bg-line/70", className)} />;
}
