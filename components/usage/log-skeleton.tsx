import { Skeleton } from "@/components/ui/skeleton";

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** The log while it is being read. */
export function LogSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading requests
      </p>
      <ul aria-hidden className="divide-y rounded-lg border bg-surface">
        {ROWS.map((row) => (
          <li key={row} className="flex items-center gap-6 px-3.5 py-3">
            <Skeleton className="hidden w-28 sm:block" />
            <div className="flex-1">
              <Skeleton className="w-44 max-w-full" />
            </div>
            <Skeleton className="hidden w-24 sm:block" />
            <Skeleton className="w-16" />
          </li>
        ))}
      </ul>
    </>
  );
}
