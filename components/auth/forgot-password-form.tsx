"use client";

import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { registerField } from "@/components/ui/field";
import { postForgotPassword } from "@/lib/platform/auth/client";
import { AccountForm, EmailField, Outcome } from "./account-form";
import { showServerError } from "./form-errors";
import { formResolver } from "./form-resolver";

/** Where reset links go: see `resetDelivery`. */
type Delivery = "email" | "log" | "none";

/** Requests a link for choosing a new password. */
export function ForgotPasswordForm({ delivery }: { delivery: Delivery }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm({ resolver: formResolver(({ forgotPassword }) => forgotPassword) });
  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await postForgotPassword({ email });
      setSentTo(email);
    } catch (error) {
      showServerError(form.setError, error, []);
    }
  });
  if (delivery === "none") {
    return (
      <p className="text-muted">
        This server doesn’t send email, so it can’t send you a reset link. Ask its administrator to
        set up email.
      </p>
    );
  }
  if (sentTo) {
    return (
      <Outcome title={delivery === "email" ? "Check your email" : "Ask your administrator"}>
        <p className="break-words text-muted">
          {delivery === "email"
            ? `If an account exists for ${sentTo}, we’ve sent it a reset link.`
            : `This server doesn’t send email. If an account exists for ${sentTo}, a reset link was written to the server log.`}{" "}
          The link works once and expires in an hour.
        </p>
        <Button size="lg" onClick={() => setSentTo(null)}>
          Use another email
        </Button>
      </Outcome>
    );
  }
  return (
    <AccountForm
      state={form.formState}
      onSubmit={submit}
      submitLabel={delivery === "email" ? "Send reset link" : "Request reset link"}
    >
      <p className="text-muted">
        Enter the email you sign in with.{" "}
        {delivery === "email"
          ? "We’ll send you a link to choose a new password."
          : "This server doesn’t send email. Your administrator will get the reset link and can pass it on to you."}
      </p>
      <EmailField {...registerField(form, "email")} />
    </AccountForm>
  );
}
