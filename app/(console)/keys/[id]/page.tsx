import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { KeyView } from "@/components/keys/key-view";
import { requireMember } from "@/lib/auth/page-gate";
import { keyOptions } from "@/lib/keys/options";
import { findKey } from "@/lib/keys/read";
import { listRequests } from "@/lib/usage/read/requests";
import { getUsageSummary } from "@/lib/usage/read/summary";
import { ListRequests } from "@/lib/usage/schema";

export const metadata: Metadata = { title: "API key" };

export default async function KeyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const ctx = await requireMember(`/keys/${encodeURIComponent(id)}`);
  const key = await findKey(ctx, id);
  if (!key) {
    // Before streaming starts, so that the response status is 404.
    notFound();
  }
  const [summary, requests] = await Promise.all([
    getUsageSummary(ctx, { key: id }),
    listRequests(ctx, ListRequests.parse({ key: id })),
  ]);
  return (
    <KeyView
      key={id}
      apiKey={key}
      summary={summary}
      requests={requests}
      options={keyOptions(ctx)}
    />
  );
}
