import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { DOCUMENTS_PAGE } from "./labels";

const ROWS = ["a", "b", "c", "d", "e"];

/** The page while its documents are being read. */
export function DocumentsSkeleton() {
  return (
    <>
      <PageHeader {...DOCUMENTS_PAGE} />
      <div className="grid gap-4">
        <Skeleton className="h-9 w-44" />
        <Skeleton className="h-24" />
        <ListSkeleton />
      </div>
    </>
  );
}

/** The list while it is being read. */
export function ListSkeleton() {
  return (
    <div>
      <p role="status" className="sr-only">
        Reading documents
      </p>
      <ul aria-hidden className="divide-y rounded-lg border bg-surface">
        {ROWS.map((row) => (
          <li key={row} className="flex items-center gap-6 px-3.5 py-4">
            <div className="grid flex-1 gap-2">
              <Skeleton className="w-56 max-w-full" />
              <Skeleton className="h-3 w-28" />
            </div>
            <Skeleton className="hidden w-20 sm:block" />
            <Skeleton className="w-16" />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A document's text while it is being read. */
export function TextSkeleton() {
  return (
    <div className="rounded-lg border bg-surface p-4 sm:p-6">
      <p role="status" className="sr-only">
        Reading the text
      </p>
      <div aria-hidden className="grid max-w-prose gap-3">
        {ROWS.map((row) => (
          <Skeleton key={row} />
        ))}
      </div>
    </div>
  );
}
