"use client";

import { lazy, Suspense } from "react";
import { Button } from "@/components/ui/button";
import type { Settings } from "@/lib/auth/settings-schema";
import { Section, SectionBody } from "./section";
import { useDialogs } from "./use-dialogs";

const DeleteDialog = lazy(async () => ({
  default: (await import("./delete-dialog")).DeleteDialog,
}));

interface DeleteSectionProps extends Pick<Settings, "account" | "profile"> {
  balanceUsd: string;
  usageDays: number;
  activityDays: number;
}

export function DeleteSection({
  account,
  profile,
  balanceUsd,
  usageDays,
  activityDays,
}: DeleteSectionProps) {
  const { open, show, end, list } = useDialogs<{ kind: "delete" }>();
  return (
    <Section title="Delete account" description="For everybody who uses it, at once and for good.">
      <SectionBody>
        <div ref={list} tabIndex={-1} className="outline-none">
          {profile.role === "owner" ? (
            <Button onClick={() => show({ kind: "delete" })}>Delete account…</Button>
          ) : (
            <p className="text-muted">Only an owner can delete the account. You can leave it.</p>
          )}
        </div>
      </SectionBody>
      <Suspense>
        {open && (
          <DeleteDialog
            accountName={account.name}
            balanceUsd={balanceUsd}
            usageDays={usageDays}
            activityDays={activityDays}
            {...end}
          />
        )}
      </Suspense>
    </Section>
  );
}
