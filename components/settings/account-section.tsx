"use client";

import { lazy, Suspense } from "react";
import { useRenameAccount } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import { Section, SectionBody } from "./section";

// The server draws it; its code comes after the page.
const NameForm = lazy(async () => ({ default: (await import("./name-form")).NameForm }));

export function AccountSection({ account, profile }: Pick<Settings, "account" | "profile">) {
  const renaming = useRenameAccount();
  return (
    <Section
      title="Account"
      description="It owns the keys, the documents and the balance that its members share."
    >
      <SectionBody>
        {profile.role === "owner" ? (
          <Suspense>
            <NameForm
              label="Account name"
              hint="People you invite see it."
              name={account.name}
              autoComplete="organization"
              save={renaming.mutateAsync}
            />
          </Suspense>
        ) : (
          <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-2 [&_dt]:text-muted">
            <dt>Name</dt>
            <dd className="break-words">{account.name}</dd>
          </dl>
        )}
        <p className="text-muted text-xs">
          Id <code className="break-all font-mono">{account.id}</code>
        </p>
      </SectionBody>
    </Section>
  );
}
