import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { BusySource } from "@/components/documents/public-source";
import { SharedPage } from "@/components/sharing/shared-view";
import { openLink } from "@/lib/answers/sharing/read";
import { isReadingTooFast } from "@/lib/library/documents/reading-limit";
import { clientAddress } from "@/lib/platform/http/request";

export const metadata: Metadata = {
  title: "Shared by link",
  robots: { index: false, follow: false },
  referrer: "no-referrer",
};

/** A stored answer or a quote that a member shared, for anyone with the link. */
export default async function SharedLinkPage({ params }: { params: Promise<{ token: string }> }) {
  if (await isReadingTooFast(clientAddress((await headers()).get("x-forwarded-for")))) {
    return <BusySource />;
  }
  const view = await openLink((await params).token);
  if (!view) {
    notFound();
  }
  return <SharedPage view={view} />;
}
