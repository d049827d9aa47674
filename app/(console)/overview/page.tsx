import type { Metadata } from "next";
import { cookies } from "next/headers";
import { OverviewSkeleton } from "@/components/overview/overview-skeleton";
import { OverviewView } from "@/components/overview/overview-view";
import { PageContent } from "@/components/shell/page-content";
import type { MemberContext } from "@/lib/auth/context";
import { requireMember } from "@/lib/auth/page-gate";
import { ONBOARDING_COOKIE } from "@/lib/billing/onboarding-cookie";
import { getOverview } from "@/lib/usage/read/overview";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const ctx = await requireMember("/overview");
  return <PageContent view={Overview({ ctx })} skeleton={<OverviewSkeleton />} />;
}

async function Overview({ ctx }: { ctx: MemberContext }) {
  const dismissed = (await cookies()).get(ONBOARDING_COOKIE)?.value;
  return (
    <OverviewView overview={await getOverview(ctx)} isDismissed={dismissed === ctx.account.id} />
  );
}
