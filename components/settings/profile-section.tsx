"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense } from "react";
import { useRenameMember } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import { ROLE_LABELS } from "./labels";
import { Section, SectionBody } from "./section";

// The server draws it; its code comes after the page.
const NameForm = lazy(async () => ({ default: (await import("./name-form")).NameForm }));

export function ProfileSection({ profile }: Pick<Settings, "profile">) {
  const router = useRouter();
  const renaming = useRenameMember();
  const save = async (input: { name: string }) => {
    await renaming.mutateAsync(input);
    // The frame around the page shows the name as well.
    router.refresh();
  };
  return (
    <Section title="Profile" description="How other members of the account see you.">
      <SectionBody>
        <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-2 [&_dt]:text-muted">
          <dt>E-mail</dt>
          <dd className="break-words">{profile.email}</dd>
          <dt>Role</dt>
          <dd>{ROLE_LABELS[profile.role].name}</dd>
        </dl>
        <Suspense>
          <NameForm label="Your name" name={profile.name ?? ""} autoComplete="name" save={save} />
        </Suspense>
      </SectionBody>
    </Section>
  );
}
