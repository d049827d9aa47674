import type { Metadata } from "next";
import { BillingView } from "@/components/billing/billing-view";
import type { Return } from "@/components/billing/checkout-notice";
import { BILLING_PAGE } from "@/components/billing/labels";
import { PageContent } from "@/components/shell/page-content";
import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { getCredits, getLowBalance, listLedger } from "@/lib/money/billing/read/balance";
import { getCheckoutConfig } from "@/lib/money/billing/read/checkout";
import { ListLedger } from "@/lib/money/billing/schema";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";
import { env } from "@/lib/platform/env";

export const metadata: Metadata = { title: "Billing" };
const SKELETON = (
  <PageSkeleton
    header={<PageHeader {...BILLING_PAGE} actions={<Skeleton className="h-8 w-28" />} />}
    label="Loading your balance"
    blocks={[
      { grid: "gap-4", blocks: ["h-73 p-5 sm:h-47", "h-68 p-5 lg:h-37"] },
      { grid: "mt-2 gap-x-5 gap-y-2 sm:grid-cols-2", fields: 2 },
      { list: 4, rowClassName: "py-2" },
    ]}
  />
);

type Search = Record<"checkout" | "cancelled", string | string[] | undefined>;

export default async function BillingPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { checkout, cancelled } = await searchParams;
  const id = typeof checkout === "string" ? checkout : null;
  const ctx = await requireMember(
    id ? `/billing?${new URLSearchParams({ checkout: id })}` : "/billing",
  );
  const view = Billing({ ctx, checkout: id ? { id, isCancelled: cancelled === "1" } : null });
  return <PageContent view={view} skeleton={SKELETON} />;
}

async function Billing({ ctx, checkout }: { ctx: MemberContext; checkout: Return | null }) {
  const [credits, firstPage, lowBalance] = await Promise.all([
    getCredits(ctx),
    listLedger(ctx, ListLedger.parse({})),
    getLowBalance(ctx),
  ]);
  const config = getCheckoutConfig();
  return (
    <BillingView
      key={checkout?.id}
      credits={credits}
      firstPage={firstPage}
      config={config}
      hasInvoices={config.provider === "stripe" && env.STRIPE_INVOICES}
      lowBalance={lowBalance}
      checkout={checkout}
    />
  );
}
