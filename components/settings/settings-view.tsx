"use client";

import { useQuery } from "@tanstack/react-query";
import { PageHeader } from "@/components/shell/page-header";
import { ErrorNotice } from "@/components/shell/state";
import { settingsQuery } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import { AccountSection } from "./account-section";
import { ActivitySection } from "./activity-section";
import { DeleteSection } from "./delete-section";
import { SETTINGS_PAGE } from "./labels";
import { MembersSection } from "./members-section";
import { PasswordSection } from "./password-section";
import { ProfileSection } from "./profile-section";
import { type Retention, RetentionSection } from "./retention-section";
import { SessionsSection } from "./sessions-section";

interface SettingsViewProps {
  initialSettings: Settings;
  retention: Retention;
  /** A decimal string of US dollars. */
  balanceUsd: string;
}

/** The member, their account and its members, and all that can be done with them. */
export function SettingsView({ initialSettings, retention, balanceUsd }: SettingsViewProps) {
  const query = useQuery({ ...settingsQuery, initialData: initialSettings });
  const { profile, account, sessions } = query.data;
  return (
    <div className="max-w-5xl">
      <PageHeader {...SETTINGS_PAGE} />
      {query.isRefetchError && (
        <div className="mb-5">
          <ErrorNotice
            title="This page may be out of date."
            description={query.error.message}
            onRetry={() => query.refetch()}
            isRetrying={query.isRefetching}
          />
        </div>
      )}
      <div className="divide-y">
        <ProfileSection profile={profile} />
        <PasswordSection profile={profile} />
        <SessionsSection sessions={sessions} />
        <AccountSection account={account} profile={profile} />
        <MembersSection settings={query.data} />
        {profile.role === "owner" && <ActivitySection days={retention.activityDays} />}
        <RetentionSection retention={retention} />
        <DeleteSection
          account={account}
          profile={profile}
          balanceUsd={balanceUsd}
          usageDays={retention.usageDays}
          activityDays={retention.activityDays}
        />
      </div>
    </div>
  );
}
