"use client";

import Link from "next/link";
import { lazy, Suspense } from "react";
import { buttonLook } from "@/components/ui/button";
import type { Settings } from "@/lib/auth/settings-schema";
import { Section, SectionBody } from "./section";

// The server draws it; the code of its checks comes after the page.
const PasswordForm = lazy(async () => ({
  default: (await import("./password-form")).PasswordForm,
}));

export function PasswordSection({ profile }: Pick<Settings, "profile">) {
  return (
    <Section
      title="Password"
      description="Changing it signs you out everywhere else. API keys go on working."
    >
      <SectionBody>
        {profile.has_password ? (
          <Suspense>
            <PasswordForm known={[profile.email, profile.name ?? undefined]} />
          </Suspense>
        ) : (
          <NoPassword />
        )}
      </SectionBody>
    </Section>
  );
}

/** A member who has only ever signed in elsewhere proves themselves by their mailbox. */
function NoPassword() {
  return (
    <>
      <p>
        You sign in with another provider. With a link to your e-mail you can set a password too.
      </p>
      <div>
        <Link href="/forgot-password" className={buttonLook()}>
          Set a password
        </Link>
      </div>
    </>
  );
}
