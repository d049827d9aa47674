import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { findSettingsPage, type SettingsPage } from "@/components/settings/pages";
import { SettingsSkeleton } from "@/components/settings/settings-skeleton";
import { SettingsView } from "@/components/settings/settings-view";
import { PageContent } from "@/components/shell/page-content";
import { getCredits } from "@/lib/money/billing/read/balance";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";
import { getSettings } from "@/lib/platform/auth/read";
import { env } from "@/lib/platform/env";

interface PageProps {
  params: Promise<{ section?: string[] }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const page = findSettingsPage((await params).section);
  return { title: page && page.id !== "profile" ? `${page.name} · Settings` : "Settings" };
}

export default async function SettingsRoute({ params }: PageProps) {
  const page = findSettingsPage((await params).section);
  if (!page) {
    notFound();
  }
  const ctx = await requireMember(page.href);
  const view = Settings({ ctx, page: page.id });
  return <PageContent view={view} skeleton={<SettingsSkeleton page={page.id} />} />;
}

async function Settings({ ctx, page }: { ctx: MemberContext; page: SettingsPage["id"] }) {
  const [settings, credits] = await Promise.all([getSettings(ctx), getCredits(ctx)]);
  return (
    <SettingsView
      page={page}
      initialSettings={settings}
      balanceUsd={credits.balance_usd}
      retention={{
        usageDays: env.USAGE_RETENTION_DAYS,
        answerDays: env.STORED_ANSWER_RETENTION_DAYS,
        activityDays: env.AUDIT_RETENTION_DAYS,
      }}
    />
  );
}
