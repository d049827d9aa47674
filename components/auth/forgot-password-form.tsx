"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { Input } from "@/components/ui/input";
import { postForgotPassword } from "@/lib/auth/client";
import { ForgotPassword } from "@/lib/auth/schema";
import { Outcome } from "./outcome";

/** Asks for a link to a new password. `canMail`: whether this server sends mail at all. */
export function ForgotPasswordForm({ canMail }: { canMail: boolean }) {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  // No default values: they would overwrite text typed before hydration.
  const form = useForm({ resolver: zodResolver(ForgotPassword) });
  const { errors, isSubmitting } = form.formState;
  const ask = form.handleSubmit(async ({ email }) => {
    try {
      await postForgotPassword({ email });
      setAskedFor(email);
    } catch (error) {
      const message = error instanceof Error ? error.message : "Try again in a moment.";
      form.setError("root", { message });
    }
  });
  if (askedFor) {
    return (
      <Outcome title={canMail ? "Look into your mailbox" : "Ask whoever runs this server"}>
        <p className="break-words text-muted">
          {canMail
            ? `If there is an account for ${askedFor}, a link is on its way to it. It works once, for an hour.`
            : `This server sends no mail. If there is an account for ${askedFor}, a link stands in the server's log. It works once, for an hour.`}
        </p>
        <Button size="lg" onClick={() => setAskedFor(null)}>
          Use another e-mail
        </Button>
      </Outcome>
    );
  }
  return (
    <form method="post" noValidate onSubmit={ask} className="grid gap-4">
      <p className="text-muted">
        Enter the e-mail you sign in with, and a link to choose a new password is sent to it.
      </p>
      <Field label="E-mail" error={errors.email?.message}>
        {(control) => (
          <Input {...control} {...form.register("email")} type="email" autoComplete="email" />
        )}
      </Field>
      <FormError message={errors.root?.message} />
      <Button type="submit" variant="primary" size="lg" isPending={isSubmitting}>
        Send the link
      </Button>
    </form>
  );
}
