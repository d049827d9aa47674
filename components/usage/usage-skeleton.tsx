import { PageHeader } from "@/components/shell/page-header";
import { FieldSkeleton, ListSkeleton, Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
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
    <div aria-hidden className="grid gap-4">
      <div className="grid h-49.5 content-start gap-4 rounded-lg border bg-surface p-4 sm:h-30.5">
        <Skeleton className="h-3 w-48 max-w-full" />
        <Skeleton className="h-12 max-w-xl" />
      </div>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 sm:max-xl:*:first:col-span-2">
        <ChartSkeleton className="h-68.5" />
        <ChartSkeleton className="h-68.5" />
        <ChartSkeleton className="h-68.5" />
      </div>
    </div>
  );
}

/** `className` has its height, which the number of series decides. */
export function ChartSkeleton({ className }: { className: string }) {
  return (
    <div className={cn("grid content-between rounded-lg border bg-surface p-4", className)}>
      <Skeleton className="w-28" />
      <Skeleton className="h-36" />
    </div>
  );
}
