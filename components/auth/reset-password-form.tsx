"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import Link from "next/link";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button, buttonLook } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { postResetPassword } from "@/lib/auth/client";
import { ResetPassword } from "@/lib/auth/schema";
import { Outcome } from "./outcome";
import { PasswordInput } from "./password-input";
import { formatRefusal, isAbout } from "./refusal";
import { StrengthHint } from "./strength-hint";
import { useLinkToken } from "./use-link-token";

const Chosen = ResetPassword.pick({ password: true });

/** Sets a new password with the link one came by; another link begins anew. */
export function ResetPasswordForm() {
  const token = useLinkToken();
  return <ResetByLink key={token} token={token} />;
}

function ResetByLink({ token }: { token: string | null | undefined }) {
  const [outcome, setOutcome] = useState<"done" | "used_up" | null>(null);
  if (outcome === "done") {
    return (
      <Outcome title="Your password is changed">
        <p className="text-muted">Every browser that was signed in is signed out.</p>
        <Link href="/sign-in" className={buttonLook({ variant: "primary", size: "lg" })}>
          Sign in
        </Link>
      </Outcome>
    );
  }
  if (outcome === "used_up" || token === null) {
    return (
      <Outcome title="This link works no more">
        <p className="text-muted">
          It was used, it is older than an hour, or it was cut short on its way.
        </p>
        <Link href="/forgot-password" className={buttonLook({ variant: "primary", size: "lg" })}>
          Ask for a new link
        </Link>
      </Outcome>
    );
  }
  return <PasswordForm token={token ?? ""} onEnd={setOutcome} />;
}

interface PasswordFormProps {
  token: string;
  onEnd: (outcome: "done" | "used_up") => void;
}

function PasswordForm({ token, onEnd }: PasswordFormProps) {
  // No default values: they would overwrite text typed before hydration.
  const form = useForm({ resolver: zodResolver(Chosen) });
  const { errors, isSubmitting } = form.formState;
  const password = useWatch({ control: form.control, name: "password", defaultValue: "" });
  const set = form.handleSubmit(async (values) => {
    try {
      await postResetPassword({ token, password: values.password });
      onEnd("done");
    } catch (error) {
      if (isAbout(error, "token")) {
        onEnd("used_up");
        return;
      }
      const { field, message } = formatRefusal(error, "Your password is not changed. ");
      form.setError(field, { message }, { shouldFocus: field === "password" });
    }
  });
  return (
    // Sent before the page has its script, a form without a method would put the password into the address.
    <form method="post" noValidate onSubmit={set} className="grid gap-4">
      <Field
        label="New password"
        hint={<StrengthHint password={password} />}
        error={errors.password?.message}
      >
        {(control) => (
          <PasswordInput {...control} {...form.register("password")} autoComplete="new-password" />
        )}
      </Field>
      <FormError message={errors.root?.message} />
      <Button type="submit" variant="primary" size="lg" isPending={isSubmitting}>
        Change password
      </Button>
    </form>
  );
}
