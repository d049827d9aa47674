import { cn } from "@/lib/cn";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("h-4 animate-pulse rounded bg-line/70", className)} />;
}

/** Says to screen readers what loads, such as "Loading keys". */
export function LoadingStatus({ label }: { label: string }) {
  return (
    <p role="status" className="sr-only">
      {label}
    </p>
  );
}

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

interface ListSkeletonProps {
  /** Absent if the page announces what loads. */
  label?: string;
  rows?: number;
  /** Whether rows have one line instead of a title and a detail. */
  isCompact?: boolean;
  /** Whether the names of columns are above the rows. */
  hasHead?: boolean;
  /** Of each row. */
  rowClassName?: string;
}

export function ListSkeleton({ label, rows = 5, isCompact = false, ...props }: ListSkeletonProps) {
  return (
    <div>
      {label && <LoadingStatus label={label} />}
      <div aria-hidden className="divide-y rounded-lg border bg-surface">
        {props.hasHead && (
          <div className="flex h-9 items-center px-3.5">
            <Skeleton className="h-3 w-16" />
          </div>
        )}
        {ROWS.slice(0, rows).map((row) => (
          <div
            key={row}
            className={cn(
              "flex items-center gap-6 px-3.5",
              isCompact ? "py-3" : "py-3.5",
              props.rowClassName,
            )}
          >
            <div className="grid flex-1 gap-2">
              <Skeleton className="w-44 max-w-full" />
              {!isCompact && <Skeleton className="h-3 w-28" />}
            </div>
            <Skeleton className="hidden w-24 sm:block" />
            <Skeleton className="w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}
