import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { KeyView } from "@/components/keys/key-view";
import { KeySkeleton } from "@/components/keys/keys-skeleton";
import { PageContent } from "@/components/shell/page-content";
import { listMemberStores } from "@/lib/library/documents/read/stores";
import { keyOptions } from "@/lib/money/keys/options";
import { findKey } from "@/lib/money/keys/read";
import type { Key } from "@/lib/money/keys/schema";
import { listRequests } from "@/lib/money/usage/read/requests";
import { getUsageSummary } from "@/lib/money/usage/read/summary";
import { ListRequests } from "@/lib/money/usage/schema";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "API key" };

export default async function KeyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const ctx = await requireMember(`/keys/${encodeURIComponent(id)}`);
  const key = await findKey(ctx, id);
  if (!key) {
    // Before streaming starts, so that the response status is 404.
    notFound();
  }
  return (
    <PageContent
      key={id}
      view={KeyDetails({ ctx, apiKey: key })}
      skeleton={<KeySkeleton apiKey={key} />}
    />
  );
}

async function KeyDetails({ ctx, apiKey }: { ctx: MemberContext; apiKey: Key }) {
  const filter = { key: apiKey.id };
  const [summary, requests, stores] = await Promise.all([
    getUsageSummary(ctx, filter),
    listRequests(ctx, ListRequests.parse(filter)),
    listMemberStores(ctx),
  ]);
  const options = keyOptions(ctx, stores);
  return <KeyView apiKey={apiKey} summary={summary} requests={requests} options={options} />;
}
