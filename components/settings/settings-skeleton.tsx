"use client";

import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { SETTINGS_PAGE } from "./labels";
import type { SettingsPage } from "./pages";
import { SettingsNav } from "./settings-nav";

/** The heights of each page's cards, for as little as they can hold. */
const CARDS: Record<SettingsPage["id"], readonly string[]> = {
  profile: ["h-54"],
  security: ["h-63", "h-18"],
  account: ["h-52", "h-34", "h-19"],
  data: ["h-34", "h-22", "h-85"],
  activity: ["h-48"],
};

export function SettingsSkeleton({ page }: { page: SettingsPage["id"] }) {
  return (
    <PageSkeleton
      header={
        <>
          <PageHeader {...SETTINGS_PAGE} />
          {/* Whether the member is an owner isn't known yet; only owners have the last tab. */}
          <SettingsNav current={page} isOwner={page === "activity"} />
        </>
      }
      label="Loading settings"
      blocks={CARDS[page].map((height) => ({
        grid: "gap-x-10 gap-y-3 border-b pb-7 last:border-0 lg:grid-cols-[minmax(16rem,1fr)_minmax(0,3fr)]",
        blocks: [{ bar: "mt-1 h-10 w-52 max-w-full" }, height],
      }))}
    />
  );
}
