import { PageHeader } from "@/components/shell/page-header";
import { CardSkeleton, FieldSkeleton, ListSkeleton, Skeleton } from "@/components/ui/skeleton";
import { DOCUMENTS_PAGE } from "./labels";

/** The documents page while it loads: tabs, upload box, filters and list. */
export function DocumentsSkeleton() {
  return (
    <>
      <PageHeader {...DOCUMENTS_PAGE} />
      <div aria-hidden className="mb-2 flex h-9 items-center gap-7 border-b px-3">
        <Skeleton className="w-18" />
        <Skeleton className="w-11" />
      </div>
      <div className="grid gap-4 pt-2">
        <CardSkeleton className="h-60 content-center gap-2 border-control border-dashed sm:h-28.5">
          <Skeleton className="w-52 max-w-full" />
          <Skeleton className="h-3 max-w-xl" />
        </CardSkeleton>
        <div className="grid grid-cols-2 gap-x-3 gap-y-2.5 sm:grid-cols-[minmax(0,1fr)_repeat(3,9rem)]">
          <FieldSkeleton className="col-span-2 sm:col-span-1" />
          <FieldSkeleton />
          <FieldSkeleton />
          <FieldSkeleton />
        </div>
        <ListSkeleton label="Loading documents" rows={8} hasHead />
      </div>
    </>
  );
}
