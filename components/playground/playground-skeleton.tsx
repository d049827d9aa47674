import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { PLAYGROUND_PAGE } from "./labels";

/** The conversation and the composer beside the settings. */
export const PLAYGROUND_SKELETON = (
  <PageSkeleton
    header={<PageHeader {...PLAYGROUND_PAGE} actions={<Skeleton className="h-8 w-48 sm:w-82" />} />}
    label="Loading the playground"
    blocks={[
      {
        grid: "h-[calc(100dvh-11.75rem)] gap-x-8 xl:grid-cols-[minmax(0,1fr)_18rem]",
        blocks: [
          {
            grid: "content-between",
            blocks: ["h-86 border-dashed", "mb-4 h-23.5 border-control"],
          },
          "max-xl:hidden",
        ],
      },
    ]}
  />
);
