import type { Metadata } from "next";
import { cookies } from "next/headers";
import { OVERVIEW_PAGE } from "@/components/overview/labels";
import { OverviewView } from "@/components/overview/overview-view";
import { PageContent } from "@/components/shell/page-content";
import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { ONBOARDING_COOKIE } from "@/lib/money/billing/onboarding-cookie";
import { getOverview } from "@/lib/money/usage/read/overview";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "Overview" };

const PANELS = Array.from({ length: 4 }, () => "h-38.5 xl:h-43.5");

const SKELETON = (
  <PageSkeleton
    header={<PageHeader {...OVERVIEW_PAGE} />}
    label="Loading requests"
    blocks={[
      { grid: "gap-3 sm:grid-cols-2 xl:grid-cols-4", blocks: PANELS },
      { grid: "gap-4 lg:grid-cols-2", blocks: ["h-82.5", "h-82.5"] },
      { grid: "gap-3", blocks: [{ bar: "h-7 w-32" }, { list: 6, isCompact: true }] },
    ]}
  />
);

export default async function OverviewPage() {
  const ctx = await requireMember("/overview");
  return <PageContent view={Overview({ ctx })} skeleton={SKELETON} />;
}

async function Overview({ ctx }: { ctx: MemberContext }) {
  const dismissed = (await cookies()).get(ONBOARDING_COOKIE)?.value;
  return (
    <OverviewView overview={await getOverview(ctx)} isDismissed={dismissed === ctx.account.id} />
  );
}
