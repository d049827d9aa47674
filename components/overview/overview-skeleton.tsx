import { PageHeader } from "@/components/shell/page-header";
import { CardSkeleton, ListSkeleton, Skeleton } from "@/components/ui/skeleton";
import { ChartSkeleton } from "@/components/usage/usage-skeleton";
import { OVERVIEW_PAGE } from "./labels";

const PANELS = ["balance", "requests", "errors", "latency"];

export function OverviewSkeleton() {
  return (
    <>
      <PageHeader {...OVERVIEW_PAGE} />
      <div className="grid gap-6">
        <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
          {PANELS.map((panel) => (
            <CardSkeleton key={panel} className="h-38.5 xl:h-43.5">
              <Skeleton className="w-32" />
              <Skeleton className="h-9 w-28" />
              <Skeleton className="h-3" />
            </CardSkeleton>
          ))}
        </div>
        <div className="grid gap-4 lg:grid-cols-2">
          <ChartSkeleton className="h-82.5" />
          <ChartSkeleton className="h-82.5" />
        </div>
        <div className="grid gap-3">
          <div aria-hidden className="flex h-7 items-center justify-between gap-3">
            <Skeleton className="w-32" />
            <Skeleton className="h-7 w-22" />
          </div>
          <ListSkeleton label="Loading requests" rows={6} isCompact hasHead />
        </div>
      </div>
    </>
  );
}
