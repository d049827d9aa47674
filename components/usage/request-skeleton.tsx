import { BackLink } from "@/components/shell/back-link";
import { PageSkeleton, type SkeletonBlock } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

/** A request's page while it loads. */
export function RequestSkeleton({ id }: { id: string }) {
  return (
    <PageSkeleton
      header={<Header id={id} />}
      label="Loading the request"
      blocks={[
        "h-48.5 sm:h-36.5 lg:h-22.5",
        section("h-56 sm:h-44"),
        {
          grid: "items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_21rem]",
          blocks: [
            { grid: "gap-6", blocks: [section("h-16.5"), section("h-96")] },
            { grid: "gap-6", blocks: [section("h-57.5"), section("h-67.5")] },
          ],
        },
      ]}
    />
  );
}

/** A heading and a card. */
function section(card: string): SkeletonBlock {
  return { grid: "gap-2.5", blocks: [{ bar: "h-6 w-20" }, card] };
}

function Header({ id }: { id: string }) {
  return (
    <header className="mb-4 grid gap-4">
      <BackLink href="/usage" name="Usage" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Request</h1>
        <Skeleton className="h-5 w-19" />
        <span className="flex min-w-0 flex-wrap items-center gap-2 sm:ml-auto">
          <code className="break-all font-mono text-muted text-xs">{id}</code>
          <Skeleton className="h-7 w-22" />
        </span>
      </div>
    </header>
  );
}
