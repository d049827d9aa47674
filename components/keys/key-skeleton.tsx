import { BackLink } from "@/components/shell/back-link";
import { CardSkeleton, ListSkeleton, Skeleton } from "@/components/ui/skeleton";
import { ChartsSkeleton } from "@/components/usage/usage-skeleton";
import type { Key } from "@/lib/keys/schema";

const TILES = ["spend", "requests", "errors", "used"];

/** A key's page while its usage loads. */
export function KeySkeleton({ apiKey }: { apiKey: Pick<Key, "name" | "last_used_at"> }) {
  return (
    <div className="grid gap-6">
      <header className="grid gap-3">
        <BackLink href="/keys" name="API keys" />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="min-w-0 break-words font-semibold text-xl tracking-tight">
            {apiKey.name}
          </h1>
          <Skeleton className="w-22" />
          <Skeleton className="h-8 w-53 sm:ml-auto" />
        </div>
      </header>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {TILES.map((tile) => (
          <CardSkeleton key={tile} className="min-h-25.5 first:h-29" />
        ))}
      </div>
      {apiKey.last_used_at && <ChartsSkeleton className="h-66.5" />}
      <div className="grid gap-3">
        <Skeleton className="h-7 w-32" />
        <ListSkeleton label="Loading the key’s usage" rows={4} isCompact hasHead />
      </div>
      <div className="grid gap-3">
        <Skeleton className="h-6 w-16" />
        <CardSkeleton className="h-171.5 sm:h-91 lg:h-61.5" />
      </div>
    </div>
  );
}
