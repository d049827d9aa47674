import type { Metadata } from "next";
import { Suspense } from "react";
import { SETTINGS_PAGE } from "@/components/settings/labels";
import { SettingsView } from "@/components/settings/settings-view";
import { PageSkeleton } from "@/components/shell/page-header";
import type { MemberContext } from "@/lib/auth/context";
import { requireMember } from "@/lib/auth/page-gate";
import { getSettings } from "@/lib/auth/read";
import { getCredits } from "@/lib/billing/read/balance";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const ctx = await requireMember("/settings");
  return (
    <Suspense fallback={<PageSkeleton {...SETTINGS_PAGE} label="Loading settings" />}>
      <Settings ctx={ctx} />
    </Suspense>
  );
}

async function Settings({ ctx }: { ctx: MemberContext }) {
  const [settings, credits] = await Promise.all([getSettings(ctx), getCredits(ctx)]);
  return (
    <SettingsView
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
