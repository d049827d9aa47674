import { BackLink } from "@/components/shell/back-link";
import { CardSkeleton, LoadingStatus, Skeleton } from "@/components/ui/skeleton";

export function RequestSkeleton({ id }: { id: string }) {
  return (
    <div className="grid gap-6">
      <LoadingStatus label="Loading the request" />
      <header className="grid gap-4">
        <BackLink href="/usage" name="Usage" />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="font-semibold text-xl tracking-tight">Request</h1>
          <Skeleton className="h-5 w-19" />
          <span className="flex min-w-0 flex-wrap items-center gap-2 sm:ml-auto">
            <code className="break-all font-mono text-muted text-xs">{id}</code>
            <Skeleton className="h-7 w-22" />
          </span>
        </div>
        <CardSkeleton className="h-48.5 sm:h-36.5 lg:h-22.5" />
      </header>
      <SectionSkeleton className="h-56 sm:h-44" />
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 gap-6">
          <SectionSkeleton className="h-16.5" />
          <SectionSkeleton className="h-96" />
        </div>
        <div className="grid min-w-0 gap-6">
          <SectionSkeleton className="h-57.5" />
          <SectionSkeleton className="h-67.5" />
        </div>
      </div>
    </div>
  );
}

/** A heading and a card, whose height is in `className`. */
function SectionSkeleton({ className }: { className: string }) {
  return (
    <div className="grid min-w-0 gap-2.5">
      <Skeleton className="h-6 w-20" />
      <CardSkeleton className={className} />
    </div>
  );
}
