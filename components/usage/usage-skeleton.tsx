import { PageHeader } from "@/components/shell/page-header";
import { CardSkeleton, FieldSkeleton, ListSkeleton, Skeleton } from "@/components/ui/skeleton";
import { USAGE_PAGE } from "./labels";

const FILTERS = ["key", "model", "kind", "status", "days", "group"];

export function UsageSkeleton() {
  return (
    <>
      <PageHeader {...USAGE_PAGE} actions={<Skeleton className="h-9 w-81 max-w-full sm:h-8" />} />
      <div className="grid gap-6">
        <div className="grid grid-cols-2 gap-x-3 gap-y-2.5 sm:grid-cols-3 lg:flex lg:flex-wrap lg:*:w-38">
          {FILTERS.map((filter) => (
            <FieldSkeleton key={filter} />
          ))}
        </div>
        <SummarySkeleton />
        <ListSkeleton label="Loading requests" rows={8} isCompact hasHead />
      </div>
    </>
  );
}

export function SummarySkeleton() {
  return (
    <div className="grid gap-4">
      <CardSkeleton className="h-49.5 sm:h-30.5">
        <Skeleton className="h-3 w-48 max-w-full" />
        <Skeleton className="h-12 max-w-xl" />
      </CardSkeleton>
      <ChartsSkeleton className="h-68.5" />
    </div>
  );
}

/** Spend, requests and tokens. */
export function ChartsSkeleton({ className }: { className: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 sm:max-xl:*:first:col-span-2">
      <ChartSkeleton className={className} />
      <ChartSkeleton className={className} />
      <ChartSkeleton className={className} />
    </div>
  );
}

/** `className` has its height, which the number of series decides. */
export function ChartSkeleton({ className }: { className: string }) {
  return (
    <CardSkeleton className={`content-between ${className}`}>
      <Skeleton className="w-28" />
      <Skeleton className="h-36" />
    </CardSkeleton>
  );
}
