import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { KEYS_PAGE } from "./labels";

const ROWS = ["a", "b", "c", "d"];

/** The page while its keys are being read. */
export function KeysSkeleton() {
  return (
    <>
      <PageHeader {...KEYS_PAGE} />
      <p role="status" className="sr-only">
        Reading keys
      </p>
      <ul aria-hidden className="divide-y rounded-lg border bg-surface">
        {ROWS.map((row) => (
          <li key={row} className="flex items-center gap-6 px-3 py-4">
            <div className="grid flex-1 gap-2">
              <Skeleton className="w-36" />
              <Skeleton className="h-3 w-44" />
            </div>
            <Skeleton className="hidden w-24 sm:block" />
            <Skeleton className="hidden w-24 sm:block" />
            <Skeleton className="w-16" />
          </li>
        ))}
      </ul>
    </>
  );
}
