import { PageHeader } from "@/components/shell/page-header";
import { ListSkeleton, Skeleton } from "@/components/ui/skeleton";
import { USAGE_PAGE } from "./labels";

export function UsageSkeleton() {
  return (
    <>
      <PageHeader {...USAGE_PAGE} />
      <div className="grid gap-6">
        <Skeleton className="h-14 max-w-4xl" />
        <SummarySkeleton />
        <ListSkeleton label="Loading requests" rows={8} isCompact />
      </div>
    </>
  );
}

export function SummarySkeleton() {
  return (
    <div aria-hidden className="grid gap-4">
      <div className="grid gap-3 rounded-lg border bg-surface p-4">
        <Skeleton className="h-3 w-48 max-w-full" />
        <Skeleton className="h-8 max-w-xl" />
      </div>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 sm:max-xl:*:first:col-span-2">
        <ChartSkeleton />
        <ChartSkeleton />
        <ChartSkeleton />
      </div>
    </div>
  );
}

export function ChartSkeleton() {
  return (
    <div className="grid h-60 content-between rounded-lg border bg-surface p-4">
      <Skeleton className="w-28" />
      <Skeleton className="h-36" />
    </div>
  );
}
