import { BackLink } from "@/components/shell/back-link";
import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { CHARTS_SKELETON } from "@/components/usage/labels";
import type { Key } from "@/lib/money/keys/schema";
import { KEYS_PAGE } from "./labels";

/** A table if it fits, otherwise cards. */
export const KEYS_SKELETON = (
  <PageSkeleton
    header={<PageHeader {...KEYS_PAGE} actions={<Skeleton className="h-8 w-29" />} />}
    label="Loading keys"
    blocks={[
      {
        grid: "@container gap-4",
        blocks: [
          {
            grid: "grid-cols-2 gap-x-3 gap-y-2.5 *:first:max-sm:col-span-2 sm:grid-cols-[16rem_11rem_11rem]",
            fields: 3,
          },
          { grid: "@max-[56rem]:hidden", blocks: [{ list: 8, rowClassName: "py-2" }] },
          {
            grid: "@min-[56rem]:hidden gap-3 @min-[40rem]:grid-cols-2",
            blocks: ["h-69.5", "h-69.5"],
          },
        ],
      },
    ]}
  />
);

const TILES = Array.from({ length: 4 }, () => "min-h-25.5");

/** A key's page while its usage loads. */
export function KeySkeleton({ apiKey }: { apiKey: Pick<Key, "name" | "last_used_at"> }) {
  return (
    <PageSkeleton
      header={<Header name={apiKey.name} />}
      label="Loading the key’s usage"
      blocks={[
        { grid: "grid-cols-2 gap-3 *:first:h-29 lg:grid-cols-4", blocks: TILES },
        ...(apiKey.last_used_at ? [CHARTS_SKELETON] : []),
        { grid: "gap-3", blocks: [{ bar: "h-7 w-32" }, { list: 4, isCompact: true }] },
        { grid: "gap-3", blocks: [{ bar: "h-6 w-16" }, "h-171.5 sm:h-91 lg:h-61.5"] },
      ]}
    />
  );
}

function Header({ name }: { name: string }) {
  return (
    <header className="mb-6 grid gap-3">
      <BackLink href="/keys" name="API keys" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="min-w-0 break-words font-semibold text-xl tracking-tight">{name}</h1>
        <Skeleton className="h-8 w-53 sm:ml-auto" />
      </div>
    </header>
  );
}
