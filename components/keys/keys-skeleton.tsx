import { PageHeader } from "@/components/shell/page-header";
import { CardSkeleton, FieldSkeleton, ListSkeleton, Skeleton } from "@/components/ui/skeleton";
import { KEYS_PAGE } from "./labels";

/** The keys page while it loads: a table if it fits, otherwise cards. */
export function KeysSkeleton() {
  return (
    <>
      <PageHeader {...KEYS_PAGE} actions={<Skeleton className="h-8 w-29" />} />
      <div className="grid gap-4">
        <div className="grid grid-cols-2 gap-x-3 gap-y-2.5 sm:flex sm:*:w-44">
          <FieldSkeleton className="col-span-full sm:w-64!" />
          <FieldSkeleton />
          <FieldSkeleton />
        </div>
        <div className="@container">
          <ListSkeleton
            label="Loading keys"
            rows={8}
            hasHead
            rowClassName="py-2"
            className="@max-[56rem]:hidden"
          />
          <div className="@min-[56rem]:hidden grid @min-[40rem]:grid-cols-2 gap-3">
            <CardSkeleton className="h-69.5" />
            <CardSkeleton className="h-69.5" />
          </div>
        </div>
      </div>
    </>
  );
}
