import { PageHeader } from "@/components/shell/page-header";
import { CardSkeleton, FieldSkeleton, ListSkeleton, Skeleton } from "@/components/ui/skeleton";

export const BILLING_PAGE = {
  title: "Billing",
  description: "Requests are paid from your prepaid balance.",
};

export function BillingSkeleton() {
  return (
    <>
      <PageHeader {...BILLING_PAGE} actions={<Skeleton className="h-8 w-28" />} />
      <div className="grid gap-8">
        <div className="grid gap-4">
          <CardSkeleton className="h-73 p-5 sm:h-47">
            <Skeleton className="w-32" />
            <Skeleton className="h-9 w-44" />
            <Skeleton className="mt-3 h-3 w-full max-w-xl" />
          </CardSkeleton>
          <CardSkeleton className="h-68 p-5 lg:h-37" />
        </div>
        <div className="grid gap-3">
          <div aria-hidden className="flex flex-wrap items-end gap-x-5 gap-y-2">
            <div className="mr-auto h-6 self-center max-lg:w-full">
              <Skeleton className="mt-1 w-14" />
            </div>
            <FieldSkeleton className="w-81 max-w-full" />
            <FieldSkeleton className="w-82 max-w-full" />
          </div>
          <ListSkeleton label="Loading your balance" rows={4} hasHead rowClassName="py-2" />
        </div>
      </div>
    </>
  );
}
