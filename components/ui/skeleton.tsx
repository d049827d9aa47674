import { cn } from "@/lib/cn";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("h-4 animate-pulse rounded bg-line/70", className)} />;
}

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

interface ListSkeletonProps {
  /** Announced to screen readers, such as "Loading keys". */
  label: string;
  rows?: number;
  /** Whether rows have one line instead of a title and a detail. */
  isCompact?: boolean;
}

export function ListSkeleton({ label, rows = 5, isCompact = false }: ListSkeletonProps) {
  return (
    <div>
      <p role="status" className="sr-only">
        {label}
      </p>
      <ul aria-hidden className="divide-y rounded-lg border bg-surface">
        {ROWS.slice(0, rows).map((row) => (
          <li
            key={row}
            className={cn("flex items-center gap-6 px-3.5", isCompact ? "py-3" : "py-4")}
          >
            <div className="grid flex-1 gap-2">
              <Skeleton className="w-44 max-w-full" />
              {!isCompact && <Skeleton className="h-3 w-28" />}
            </div>
            <Skeleton className="hidden w-24 sm:block" />
            <Skeleton className="w-16" />
          </li>
        ))}
      </ul>
    </div>
  );
}
