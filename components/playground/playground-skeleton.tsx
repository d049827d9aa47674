import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { PLAYGROUND_PAGE } from "./labels";

/** The playground while it loads: conversation, composer and settings. */
export function PlaygroundSkeleton() {
  return (
    <>
      <PageHeader {...PLAYGROUND_PAGE} actions={<Skeleton className="h-8 w-48 sm:w-82" />} />
      <p role="status" className="sr-only">
        Loading the playground
      </p>
      <div aria-hidden className="grid gap-x-8 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-h-[calc(100dvh-11.75rem)] min-w-0 flex-col justify-between">
          <div className="grid h-86 content-center justify-items-center gap-3 rounded-lg border border-dashed bg-surface">
            <Skeleton className="w-36" />
            <Skeleton className="w-64 max-w-[80%]" />
          </div>
          <div className="mb-4 h-23.5 rounded-lg border border-control bg-surface" />
        </div>
        <div className="hidden h-[calc(100dvh-11.75rem)] content-start gap-4 rounded-lg border bg-surface p-4 xl:grid">
          <Skeleton className="w-14" />
          <Skeleton className="h-9" />
          <Skeleton className="w-14" />
          <Skeleton className="h-9" />
        </div>
      </div>
    </>
  );
}
