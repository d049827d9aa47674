import { PageHeader } from "@/components/shell/page-header";
import { CardSkeleton, FieldSkeleton, LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { PLAYGROUND_PAGE } from "./labels";

/** The playground while it loads: conversation, composer and settings. */
export function PlaygroundSkeleton() {
  return (
    <>
      <PageHeader {...PLAYGROUND_PAGE} actions={<Skeleton className="h-8 w-48 sm:w-82" />} />
      <LoadingStatus label="Loading the playground" />
      <div className="grid gap-x-8 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-h-[calc(100dvh-11.75rem)] min-w-0 flex-col justify-between">
          <CardSkeleton className="h-86 content-center justify-items-center border-dashed">
            <Skeleton className="w-36" />
            <Skeleton className="w-64 max-w-[80%]" />
          </CardSkeleton>
          <CardSkeleton className="mb-4 h-23.5 border-control" />
        </div>
        <CardSkeleton className="h-[calc(100dvh-11.75rem)] max-xl:hidden">
          <FieldSkeleton />
          <FieldSkeleton />
        </CardSkeleton>
      </div>
    </>
  );
}
