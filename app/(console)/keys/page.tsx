import type { Metadata } from "next";
import { Suspense } from "react";
import { KeysSkeleton } from "@/components/keys/keys-skeleton";
import { KeysView } from "@/components/keys/keys-view";
import type { MemberContext } from "@/lib/auth/context";
import { requireMember } from "@/lib/auth/page-gate";
import { env } from "@/lib/env";
import { listKeys } from "@/lib/keys/read";
import { ListKeys } from "@/lib/keys/schema";
import { listModels } from "@/lib/models/catalogue";

export const metadata: Metadata = { title: "API keys" };

export default async function KeysPage() {
  const ctx = await requireMember("/keys");
  return (
    <Suspense fallback={<KeysSkeleton />}>
      <Keys ctx={ctx} />
    </Suspense>
  );
}

async function Keys({ ctx }: { ctx: MemberContext }) {
  const initialPage = await listKeys(ctx, ListKeys.parse({}));
  const models = listModels().map(({ id, isDefault }) => ({ id, isDefault }));
  const limits = { requests: env.REQUESTS_PER_MINUTE, tokens: env.TOKENS_PER_MINUTE };
  return (
    <KeysView initialPage={initialPage} models={models} limits={limits} email={ctx.actor.email} />
  );
}
