"use client";

import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { ButtonLink } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { registerField } from "@/components/ui/field";
import { postResetPassword } from "@/lib/platform/auth/client";
import { AccountForm, Outcome } from "./account-form";
import { isAbout, showServerError } from "./form-errors";
import { formResolver } from "./form-resolver";
import { LinkPage } from "./link-page";
import { linkToken } from "./link-script";
import { NewPasswordField } from "./password-field";

type Ended = "expired" | { revokedKeys: number };

function Expired({ canGetLink }: { canGetLink: boolean }) {
  return (
    <>
      <p className="text-muted">
        It was already used, is over an hour old, or is incomplete.
        {!canGetLink &&
          " This server doesn’t send email, so it can’t send you a new one. Ask its administrator to set up email."}
      </p>
      {canGetLink && (
        <ButtonLink href="/forgot-password" variant="primary" size="lg">
          Get a new link
        </ButtonLink>
      )}
    </>
  );
}

/** Sets a new password with the link's token. `canGetLink`: whether a new link would reach anyone. */
export function ResetPasswordForm({ canGetLink }: { canGetLink: boolean }) {
  const [outcome, setOutcome] = useState<Ended | null>(null);
  if (outcome && outcome !== "expired") {
    return (
      <Outcome title="Password changed">
        <p className="text-muted">
          You’ve been signed out in every browser.{formatRevoked(outcome.revokedKeys)}
        </p>
        <ButtonLink href="/sign-in" variant="primary" size="lg">
          Sign in
        </ButtonLink>
      </Outcome>
    );
  }
  return (
    <LinkPage
      expired={{ title: "This link has expired", notice: <Expired canGetLink={canGetLink} /> }}
      isExpired={outcome === "expired"}
    >
      <PasswordForm onEnd={setOutcome} />
    </LinkPage>
  );
}

function formatRevoked(count: number): string {
  if (count === 0) {
    return "";
  }
  return count === 1 ? " One API key was revoked." : ` ${count} API keys were revoked.`;
}

function PasswordForm({ onEnd }: { onEnd: (outcome: Ended) => void }) {
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm({ resolver: formResolver(({ newPassword }) => newPassword) });
  const password = useWatch({ control: form.control, name: "password", defaultValue: "" });
  const submit = form.handleSubmit(async (values) => {
    try {
      onEnd({ revokedKeys: await postResetPassword({ token: linkToken(), ...values }) });
    } catch (error) {
      if (isAbout(error, "token")) {
        onEnd("expired");
      } else {
        showServerError(form.setError, error, ["password"]);
      }
    }
  });
  const failure = form.formState.errors.root?.message;
  return (
    <AccountForm
      state={form.formState}
      onSubmit={submit}
      submitLabel="Change password"
      error={failure && `Your password wasn’t changed. ${failure}`}
    >
      <NewPasswordField
        label="New password"
        password={password}
        {...registerField(form, "password")}
      />
      <Checkbox
        {...form.register("revoke_keys")}
        label="Also revoke my API keys"
        description="Choose this if someone else may have used your account. Services with these keys stop working."
      />
    </AccountForm>
  );
}
