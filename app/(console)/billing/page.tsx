import type { Metadata } from "next";
import { BillingSkeleton } from "@/components/billing/billing-skeleton";
import { BillingView } from "@/components/billing/billing-view";
import type { Return } from "@/components/billing/checkout-notice";
import { PageContent } from "@/components/shell/page-content";
import type { MemberContext } from "@/lib/auth/context";
import { requireMember } from "@/lib/auth/page-gate";
import { getCredits, getLowBalance, listLedger } from "@/lib/billing/read/balance";
import { getCheckoutConfig } from "@/lib/billing/read/checkout";
import { ListLedger } from "@/lib/billing/schema";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Billing" };

type Search = Record<"checkout" | "cancelled", string | string[] | undefined>;

export default async function BillingPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { checkout, cancelled } = await searchParams;
  const id = typeof checkout === "string" ? checkout : null;
  const ctx = await requireMember(
    id ? `/billing?${new URLSearchParams({ checkout: id })}` : "/billing",
  );
  const view = Billing({ ctx, checkout: id ? { id, isCancelled: cancelled === "1" } : null });
  return <PageContent view={view} skeleton={<BillingSkeleton />} />;
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
