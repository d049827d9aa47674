"use client";

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { StaleNotice } from "@/components/shell/state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { Moment, RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { useDialog } from "@/components/ui/use-dialog";
import {
  settingsQuery,
  useEndOtherSessions,
  useEndSession,
} from "@/lib/platform/auth/settings-client";
import type { Settings } from "@/lib/platform/auth/settings-schema";
import { ActivitySection } from "./activity-section";
import { formatDevice } from "./device";
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

function SessionsSection({ sessions }: Pick<Settings, "sessions">) {
  const list = useRef<HTMLUListElement>(null);
  const ending = useEndSession();
  const endingOthers = useEndOtherSessions();
  const onSuccess = (message: string) => () => {
    toast.success(message);
    // The pressed button is gone.
    list.current?.focus({ preventScroll: true });
  };
  const ordered = sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
  const hasOthers = sessions.some((session) => !session.is_current);
  return (
    <Section
      title="Sessions"
      description="Browsers you’re signed in with. Ending a session signs that browser out immediately."
    >
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-y outline-none">
        {ordered.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4 sm:px-5">
            <div className="grid min-w-0 flex-1 gap-0.5">
              <span className="flex flex-wrap items-center gap-2" title={session.user_agent ?? ""}>
                {formatDevice(session.user_agent)}
                {session.is_current && <Badge tone="success">This browser</Badge>}
              </span>
              <span className="text-muted text-xs">
                Signed in <Moment value={session.created_at} /> · Last seen:{" "}
                <RelativeTime value={session.last_seen_at} />
              </span>
            </div>
            {!session.is_current && (
              <Button
                size="sm"
                isPending={ending.isPending && ending.variables === session.id}
                onClick={() => ending.mutate(session.id, { onSuccess: onSuccess("Session ended") })}
              >
                End<span className="sr-only"> {formatDevice(session.user_agent)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(ending.error || endingOthers.error || hasOthers) && (
        <div className="grid justify-items-start gap-3 border-t p-4 sm:px-5">
          <FormError message={ending.error?.message ?? endingOthers.error?.message} />
          {hasOthers && (
            <Button
              isPending={endingOthers.isPending}
              onClick={() =>
                endingOthers.mutate(undefined, {
                  onSuccess: onSuccess("All other sessions ended"),
                })
              }
            >
              End all other sessions
            </Button>
          )}
        </div>
      )}
    </Section>
  );
}
