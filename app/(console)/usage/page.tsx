import type { Metadata } from "next";
import { PageContent } from "@/components/shell/page-content";
import { UsageSkeleton } from "@/components/usage/usage-skeleton";
import { UsageView } from "@/components/usage/usage-view";
import type { MemberContext } from "@/lib/auth/context";
import { requireMember } from "@/lib/auth/page-gate";
import { filterQuery, readFilter, type UsageFilter } from "@/lib/usage/filter";
import { listRequests } from "@/lib/usage/read/requests";
import { getUsageSummary } from "@/lib/usage/read/summary";
import { ListRequests } from "@/lib/usage/schema";

export const metadata: Metadata = { title: "Usage" };

type Search = Record<string, string | string[] | undefined>;

export default async function UsagePage({ searchParams }: { searchParams: Promise<Search> }) {
  const given = Object.entries(await searchParams);
  const params = given.filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const filter = readFilter(new URLSearchParams(params));
  const query = filterQuery(filter);
  const ctx = await requireMember(query ? `/usage?${query}` : "/usage");
  return <PageContent view={Usage({ ctx, filter })} skeleton={<UsageSkeleton />} />;
}

async function Usage({ ctx, filter }: { ctx: MemberContext; filter: UsageFilter }) {
  const [firstPage, summary] = await Promise.all([
    listRequests(ctx, ListRequests.parse(filter)),
    getUsageSummary(ctx, filter),
  ]);
  return <UsageView filter={filter} firstPage={firstPage} summary={summary} />;
}
