import type { Metadata } from "next";
import { PageContent } from "@/components/shell/page-content";
import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { SUMMARY_SKELETON, USAGE_PAGE } from "@/components/usage/labels";
import { UsageView } from "@/components/usage/usage-view";
import { filterQuery, readFilter, type UsageFilter } from "@/lib/money/usage/filter";
import { listRequests } from "@/lib/money/usage/read/requests";
import { getUsageSummary } from "@/lib/money/usage/read/summary";
import { ListRequests } from "@/lib/money/usage/schema";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "Usage" };

const SKELETON = (
  <PageSkeleton
    header={
      <PageHeader {...USAGE_PAGE} actions={<Skeleton className="h-9 w-81 max-w-full sm:h-8" />} />
    }
    label="Loading requests"
    blocks={[
      { grid: "grid-cols-2 gap-x-3 gap-y-2.5 sm:grid-cols-3 lg:grid-cols-6", fields: 6 },
      { grid: "gap-4", blocks: SUMMARY_SKELETON },
      { list: 8, isCompact: true },
    ]}
  />
);

type Search = Record<string, string | string[] | undefined>;

export default async function UsagePage({ searchParams }: { searchParams: Promise<Search> }) {
  const given = Object.entries(await searchParams);
  const params = given.filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const filter = readFilter(new URLSearchParams(params));
  const query = filterQuery(filter);
  const ctx = await requireMember(query ? `/usage?${query}` : "/usage");
  return <PageContent view={Usage({ ctx, filter })} skeleton={SKELETON} />;
}

async function Usage({ ctx, filter }: { ctx: MemberContext; filter: UsageFilter }) {
  const [firstPage, summary] = await Promise.all([
    listRequests(ctx, ListRequests.parse(filter)),
    getUsageSummary(ctx, filter),
  ]);
  return <UsageView filter={filter} firstPage={firstPage} summary={summary} />;
}
