import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { DOCUMENTS_PAGE } from "./labels";

export const DOCUMENTS_SKELETON = (
  <PageSkeleton
    header={<PageHeader {...DOCUMENTS_PAGE} />}
    label="Loading documents"
    blocks={[
      {
        grid: "gap-4",
        blocks: [
          { bar: "h-9" },
          {
            grid: "gap-x-6 gap-y-4 lg:grid-cols-[14rem_minmax(0,1fr)]",
            blocks: [
              { grid: "content-start gap-4", fields: 1 },
              {
                grid: "gap-4",
                blocks: [
                  "h-60 border-control border-dashed sm:h-28.5",
                  {
                    grid: "grid-cols-2 gap-x-3 gap-y-2.5 *:first:max-sm:col-span-2 sm:grid-cols-[minmax(0,1fr)_repeat(2,9rem)]",
                    fields: 3,
                  },
                  { list: 8 },
                ],
              },
            ],
          },
        ],
      },
    ]}
  />
);
