"use client";

import { PageHeader } from "@/components/shell/page-header";
import { CardSkeleton, LoadingStatus, Skeleton } from "@/components/ui/skeleton";
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

/** A page of the settings while it loads. Its navigation already works. */
export function SettingsSkeleton({ page }: { page: SettingsPage["id"] }) {
  return (
    <div>
      <PageHeader {...SETTINGS_PAGE} />
      {/* Whether the member is an owner isn't known yet; only owners have the last tab. */}
      <SettingsNav current={page} isOwner={page === "activity"} />
      <LoadingStatus label="Loading settings" />
      <div aria-hidden className="divide-y">
        {CARDS[page].map((height) => (
          <div
            key={height}
            className="grid gap-x-10 gap-y-3 py-7 first:pt-0 lg:grid-cols-[minmax(16rem,1fr)_minmax(0,3fr)]"
          >
            <div className="grid content-start gap-2.5 pt-1">
              <Skeleton className="w-28" />
              <Skeleton className="w-52 max-w-full" />
            </div>
            <CardSkeleton className={`p-5 ${height}`} />
          </div>
        ))}
      </div>
    </div>
  );
}
