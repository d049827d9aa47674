import { PageHeader } from "@/components/shell/page-header";
import { CardSkeleton, LoadingStatus, Skeleton } from "@/components/ui/skeleton";

export const START_PAGE = {
  title: "Make your first request",
  description: "Run one of these and watch the answer arrive. Every sentence links to its source.",
};

export function StartSkeleton() {
  return (
    <>
      <PageHeader {...START_PAGE} />
      <StepsSkeleton label="Loading your key" />
    </>
  );
}

/** The key and the code, with what happens next beside them. */
export function StepsSkeleton({ label }: { label: string }) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <LoadingStatus label={label} />
      <div className="grid min-w-0 gap-6">
        <div className="grid gap-2.5">
          <Skeleton className="h-6 w-28" />
          <CardSkeleton className="h-11.5 p-3.5" />
          <div className="h-15 sm:h-10">
            <Skeleton className="max-w-xl" />
          </div>
        </div>
        <div className="grid gap-2.5">
          <Skeleton className="h-6 w-24" />
          <CardSkeleton className="h-90.5 sm:h-77.5" />
        </div>
      </div>
      <div className="grid min-w-0 gap-6">
        <CardSkeleton className="h-27.5" />
        <div className="grid gap-2.5">
          <Skeleton className="h-6 w-12" />
          <CardSkeleton className="h-54.5" />
        </div>
      </div>
    </div>
  );
}
