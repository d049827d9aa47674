"use client";

import { useQuery } from "@tanstack/react-query";
import { PageHeader } from "@/components/shell/page-header";
import { StaleNotice } from "@/components/shell/state";
import { settingsQuery } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import { ActivitySection } from "./activity-section";
import { DeleteSection } from "./delete-section";
import { formatRetention, type Retention, SETTINGS_PAGE } from "./labels";
import { MembersSection } from "./members-section";
import { AccountSection, PasswordSection, ProfileSection } from "./profile-sections";
import { Section } from "./section";
import { SessionsSection } from "./sessions-section";

interface SettingsViewProps {
  initialSettings: Settings;
  retention: Retention;
  /** A decimal string of US dollars. */
  balanceUsd: string;
}

/** The settings of the member, their account and its members. */
export function SettingsView({ initialSettings, retention, balanceUsd }: SettingsViewProps) {
  const query = useQuery({ ...settingsQuery, initialData: initialSettings });
  const { profile, account, sessions } = query.data;
  return (
    <div className="max-w-5xl">
      <PageHeader {...SETTINGS_PAGE} />
      <div className="mb-5 empty:hidden">
        <StaleNotice query={query} title="This page may be out of date." />
      </div>
      <div className="divide-y">
        <ProfileSection profile={profile} />
        <PasswordSection profile={profile} />
        <SessionsSection sessions={sessions} />
        <AccountSection account={account} profile={profile} />
        <MembersSection settings={query.data} />
        {profile.role === "owner" && <ActivitySection days={retention.activityDays} />}
        <RetentionSection retention={retention} />
        <DeleteSection settings={query.data} balanceUsd={balanceUsd} retention={retention} />
      </div>
    </div>
  );
}

function RetentionSection({ retention }: { retention: Retention }) {
  const { answerDays, usageDays, activityDays } = retention;
  const rows = [
    ["Messages and answers", "not stored, unless a request sets store: true"],
    ["Stored answers and their evidence", formatRetention(answerDays)],
    ["Documents", "kept until you delete them"],
    ["Usage records (counts, costs and source IDs; no text)", formatRetention(usageDays)],
    ["Activity (who changed which key or member)", formatRetention(activityDays)],
    ["Ledger and payments", "kept forever as financial records"],
  ];
  return (
    <Section title="Data retention" description="Set by the operator of this server.">
      <dl className="divide-y">
        {rows.map(([data, period]) => (
          <div key={data} className="grid gap-x-4 gap-y-0.5 p-4 sm:grid-cols-2 sm:px-5">
            <dt className="text-muted">{data}</dt>
            <dd className="first-letter:uppercase">{period}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
