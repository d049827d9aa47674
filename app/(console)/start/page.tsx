import type { Metadata } from "next";
import { PageContent } from "@/components/shell/page-content";
import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { START_PAGE, STEPS_SKELETON } from "@/components/start/labels";
import { StartView } from "@/components/start/start-view";
import { defaultModel } from "@/lib/models/catalogue";
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
  const [{ data }, first] = await Promise.all([
    listKeys(ctx, ListKeys.parse({ status: "usable" })),
    findFirstSuccess(ctx),
  ]);
  const usable = data.find(({ scopes }) => scopes.includes("chat:completions")) ?? null;
  return <StartView apiKey={usable} model={defaultModel().id} first={first} />;
}
