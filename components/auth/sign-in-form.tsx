"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import Link from "next/link";
import { useForm } from "react-hook-form";
import * as z from "zod";
import { Button } from "@/components/ui/button";
import { registerField, TextField } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { type PasswordOutcome, signInWithPassword } from "@/lib/auth/client";
import { SignUp } from "@/lib/auth/schema";
import { PasswordField } from "./password-field";

const SignIn = SignUp.pick({ email: true }).extend({
  password: z.string().min(1, "Enter your password."),
});

function formatFailure(outcome: Exclude<PasswordOutcome, "signed_in">): string {
  if (outcome === "wrong_password") {
    return "Wrong email or password. Check both and try again.";
  }
  return outcome === "failed"
    ? "Something went wrong on our side. Try again in a moment."
    : `Too many sign-in attempts with this email. Wait ${outcome.waitSeconds} seconds and try again.`;
}

interface SignInFormProps {
  /** Where to go afterwards. */
  path: string;
  /** An error from an earlier step, such as a provider's. */
  problem: string | null;
}

export function SignInForm({ path, problem }: SignInFormProps) {
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm({ resolver: zodResolver(SignIn) });
  const { errors, isSubmitting, isSubmitSuccessful, isSubmitted } = form.formState;
  const isBusy = isSubmitting || isSubmitSuccessful;
  const signIn = form.handleSubmit(async ({ email, password }) => {
    const outcome = await signInWithPassword(email, password).catch(() => "failed" as const);
    if (outcome === "signed_in") {
      window.location.assign(path);
      return;
    }
    form.setError("root", { message: formatFailure(outcome) });
    form.setFocus(outcome === "wrong_password" ? "password" : "email");
  });
  return (
    // Without a method, a form submitted before hydration would put the password into the URL.
    <form method="post" noValidate onSubmit={signIn} className="grid gap-4">
      <TextField
        label="Email"
        {...registerField(form, "email")}
        type="email"
        autoComplete="email"
      />
      <PasswordField
        label="Password"
        {...registerField(form, "password")}
        autoComplete="current-password"
      />
      <p className="-mt-2 text-xs">
        <Link href="/forgot-password" className="text-accent underline underline-offset-4">
          Forgot your password?
        </Link>
      </p>
      <FormError message={errors.root?.message ?? (isSubmitted ? null : problem)} />
      <Button type="submit" variant="primary" size="lg" isPending={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
