"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { registerField, TextField } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { postForgotPassword } from "@/lib/auth/client";
import { ForgotPassword } from "@/lib/auth/schema";
import { showServerError } from "./form-errors";
import { Outcome } from "./outcome";

/** Requests a link for choosing a new password. `canMail`: whether this server sends email. */
export function ForgotPasswordForm({ canMail }: { canMail: boolean }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm({ resolver: zodResolver(ForgotPassword) });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await postForgotPassword({ email });
      setSentTo(email);
    } catch (error) {
      showServerError(form.setError, error, []);
    }
  });
  if (sentTo) {
    return (
      <Outcome title={canMail ? "Check your email" : "Ask your administrator"}>
        <p className="break-words text-muted">
          {canMail
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
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-muted">
        Enter the email you sign in with. We’ll send you a link to choose a new password.
      </p>
      <TextField
        label="Email"
        {...registerField(form, "email")}
        type="email"
        autoComplete="email"
      />
      <FormError message={errors.root?.message} />
      <Button type="submit" variant="primary" size="lg" isPending={isSubmitting}>
        Send reset link
      </Button>
    </form>
  );
}
