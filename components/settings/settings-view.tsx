"use client";

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import { settingsQuery } from "@/lib/platform/auth/settings-client";
import type { Settings } from "@/lib/platform/auth/settings-schema";
import { ActivitySection } from "./activity-section";
import { formatRetention, type Retention, SETTINGS_PAGE } from "./labels";
import { MembersSection } from "./members-section";
import type { SettingsPage } from "./pages";
import {
  AccountSection,
  OriginalsSection,
  PasswordSection,
  ProfileSection,
} from "./profile-sections";
import { Section, SectionBody } from "./section";
import { SessionsSection } from "./sessions-section";
import { SettingsNav } from "./settings-nav";
import { SharingSection } from "./sharing-section";

const DeleteDialog = lazy(async () => ({
  default: (await import("./delete-dialog")).DeleteDialog,
}));

interface SettingsViewProps {
  page: SettingsPage["id"];
  initialSettings: Settings;
  retention: Retention;
  /** A decimal string of US dollars. */
  balanceUsd: string;
}

export function SettingsView({ page, initialSettings, ...facts }: SettingsViewProps) {
  const query = useQuery({ ...settingsQuery, initialData: initialSettings });
  const settings = query.data;
  return (
    <div>
      <PageHeader {...SETTINGS_PAGE} />
      <SettingsNav current={page} isOwner={settings.profile.role === "owner"} />
      <div className="mb-5 empty:hidden">
        <StaleNotice query={query} title="This page may be out of date." />
      </div>
      <div className="divide-y">
        <Sections page={page} settings={settings} {...facts} />
      </div>
    </div>
  );
}

type SectionsProps = Omit<SettingsViewProps, "initialSettings"> & { settings: Settings };

function Sections({ page, settings, ...facts }: SectionsProps) {
  const { profile, account, sessions } = settings;
  switch (page) {
    case "profile":
      return <ProfileSection profile={profile} />;
    case "security":
      return (
        <>
          <PasswordSection profile={profile} />
          <SessionsSection sessions={sessions} />
        </>
      );
    case "account":
      return (
        <>
          <AccountSection account={account} profile={profile} />
          <MembersSection settings={settings} />
          <DeleteSection settings={settings} {...facts} />
        </>
      );
    case "data":
      return (
        <>
          <OriginalsSection account={account} profile={profile} />
          <SharingSection settings={settings} />
          <RetentionSection retention={facts.retention} />
        </>
      );
    case "activity":
      return profile.role === "owner" ? (
        <ActivitySection days={facts.retention.activityDays} />
      ) : (
        <p className="text-muted">Only owners can see activity.</p>
      );
  }
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

interface DeleteSectionProps extends Omit<SettingsViewProps, "initialSettings" | "page"> {
  settings: Settings;
}

function DeleteSection({ settings, ...facts }: DeleteSectionProps) {
  const dialog = useDialog<"delete">();
  return (
    <Section title="Delete account" description="Permanently deletes the account for all members.">
      <SectionBody>
        {settings.profile.role === "owner" ? (
          <div>
            <Button variant="danger" onClick={() => dialog.show("delete")}>
              Delete account…
            </Button>
          </div>
        ) : (
          <p className="text-muted">
            Only an owner can delete the account. You can leave it instead.
          </p>
        )}
      </SectionBody>
      <Suspense>
        {dialog.open && (
          <DeleteDialog accountName={settings.account.name} {...facts} {...dialog.handlers} />
        )}
      </Suspense>
    </Section>
  );
}
