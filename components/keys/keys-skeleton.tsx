import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
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
