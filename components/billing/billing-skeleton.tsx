import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { BILLING_PAGE } from "./labels";

const ROWS = ["a", "b", "c", "d"];

/** The page while balance and ledger are being read. */
export function BillingSkeleton() {
  return (
    <>
      <PageHeader {...BILLING_PAGE} />
      <p role="status" className="sr-only">
        Loading your balance
      </p>
      <div aria-hidden className="grid gap-8">
        <div className="grid gap-4 rounded-lg border bg-surface p-5">
          <Skeleton className="w-32" />
          <Skeleton className="h-9 w-44" />
          <Skeleton className="mt-3 h-3 w-full max-w-xl" />
        </div>
        <div className="grid gap-3">
          <Skeleton className="w-20" />
          <ul className="divide-y rounded-lg border bg-surface">
            {ROWS.map((row) => (
              <li key={row} className="flex items-center gap-6 px-3 py-4">
                <Skeleton className="hidden w-32 sm:block" />
                <div className="flex-1">
                  <Skeleton className="w-28" />
                </div>
                <Skeleton className="w-20" />
                <Skeleton className="hidden w-20 sm:block" />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  );
}
