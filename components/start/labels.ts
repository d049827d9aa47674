import type { SkeletonBlock } from "@/components/shell/page-skeleton";

export const START_PAGE = {
  title: "Make your first request",
  description: "Run one of these and watch the answer arrive. Every sentence links to its source.",
};

/** The key and the code, with what happens next beside them. */
export const STEPS_SKELETON: SkeletonBlock[] = [
  {
    grid: "items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]",
    blocks: [
      {
        grid: "gap-6",
        blocks: [
          { grid: "gap-2.5", blocks: [{ bar: "h-6 w-28" }, "h-30.5 sm:h-25.5"] },
          { grid: "gap-2.5", blocks: [{ bar: "h-6 w-24" }, "h-90.5 sm:h-77.5"] },
        ],
      },
      {
        grid: "gap-6",
        blocks: ["h-27.5", { grid: "gap-2.5", blocks: [{ bar: "h-6 w-12" }, "h-54.5"] }],
      },
    ],
  },
];
