import { PageHeader } from "@/components/shell/page-header";
import { ListSkeleton, Skeleton } from "@/components/ui/skeleton";

export const BILLING_PAGE = {
  title: "Billing",
  description: "Requests are paid from your prepaid balance.",
};

export function BillingSkeleton() {
  return (
    <>
      <PageHeader {...BILLING_PAGE} />
      <div aria-hidden className="grid gap-8">
        <div className="grid gap-4 rounded-lg border bg-surface p-5">
          <Skeleton className="w-32" />
          <Skeleton className="h-9 w-44" />
          <Skeleton className="mt-3 h-3 w-full max-w-xl" />
        </div>
        <div className="grid gap-3">
          <Skeleton className="w-20" />
          <ListSkeleton label="Loading your balance" rows={4} isCompact />
        </div>
      </div>
    </>
  );
}
