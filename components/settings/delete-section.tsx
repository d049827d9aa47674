"use client";

import { lazy, Suspense } from "react";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import type { Settings } from "@/lib/auth/settings-schema";
import type { Retention } from "./labels";
import { Section, SectionBody } from "./section";

const DeleteDialog = lazy(async () => ({
  default: (await import("./delete-dialog")).DeleteDialog,
}));

interface DeleteSectionProps {
  settings: Settings;
  balanceUsd: string;
  retention: Retention;
}

export function DeleteSection({ settings, ...facts }: DeleteSectionProps) {
  const dialog = useDialog<"delete">();
  return (
    <Section title="Delete account" description="Permanently deletes the account for all members.">
      <SectionBody>
        {settings.profile.role === "owner" ? (
          <div>
            <Button onClick={() => dialog.show("delete")}>Delete account…</Button>
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
