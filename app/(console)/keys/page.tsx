import type { Metadata } from "next";
import { Suspense } from "react";
import { KeysView } from "@/components/keys/keys-view";
import { KEYS_PAGE } from "@/components/keys/labels";
import { PageSkeleton } from "@/components/shell/page-header";
import type { MemberContext } from "@/lib/auth/context";
import { requireMember } from "@/lib/auth/page-gate";
import { env } from "@/lib/env";
import { listKeys } from "@/lib/keys/read";
import { ListKeys } from "@/lib/keys/schema";
import { listModels } from "@/lib/models/catalogue";

export const metadata: Metadata = { title: "API keys" };

type Search = Record<"create" | "key", string | string[] | undefined>;

export default async function KeysPage({ searchParams }: { searchParams: Promise<Search> }) {
  const ctx = await requireMember(addressOf(await searchParams));
  return (
    <Suspense fallback={<PageSkeleton {...KEYS_PAGE} label="Loading keys" />}>
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

/** Keeps the part of the URL that opens a dialog across signing in. */
function addressOf({ create, key }: Search): string {
  if (create === "1") {
    return "/keys?create=1";
  }
  return typeof key === "string" ? `/keys?${new URLSearchParams({ key })}` : "/keys";
}
