import type { Metadata } from "next";
import { PageContent } from "@/components/shell/page-content";
import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { START_PAGE, STEPS_SKELETON } from "@/components/start/labels";
import { StartView } from "@/components/start/start-view";
import { defaultModel } from "@/lib/models/catalogue";
import { getCredits } from "@/lib/money/billing/read/balance";
import { listKeys } from "@/lib/money/keys/read";
import { ListKeys } from "@/lib/money/keys/schema";
import { findFirstSuccess } from "@/lib/money/usage/read/requests";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "Make your first request" };

const SKELETON = (
  <PageSkeleton
    header={<PageHeader {...START_PAGE} />}
    label="Loading your key"
    blocks={STEPS_SKELETON}
  />
);

export default async function StartPage() {
  const ctx = await requireMember("/start");
  return <PageContent view={Start({ ctx })} skeleton={SKELETON} />;
}

async function Start({ ctx }: { ctx: MemberContext }) {
  const { id, rates } = defaultModel();
  const [{ data }, first, credits] = await Promise.all([
    listKeys(ctx, ListKeys.parse({ status: "usable" })),
    findFirstSuccess(ctx),
    getCredits(ctx),
  ]);
  const usable = data.find(({ scopes }) => scopes.includes("chat:completions")) ?? null;
  const isCharged = Object.values(rates.grounded).some((rate) => rate > 0);
  const funds = { availableUsd: credits.available_usd, isCharged };
  return <StartView apiKey={usable} model={id} first={first} funds={funds} />;
}
