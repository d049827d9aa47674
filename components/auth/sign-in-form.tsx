"use client";

import Link from "next/link";
import { useForm } from "react-hook-form";
import { registerField } from "@/components/ui/field";
import { type PasswordOutcome, signInWithPassword } from "@/lib/platform/auth/client";
import { AccountForm, EmailField } from "./account-form";
import { formResolver } from "./form-resolver";
import { PasswordField } from "./password-field";

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
  const form = useForm({ resolver: formResolver(({ signIn }) => signIn) });
  const { errors, isSubmitted } = form.formState;
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
    <AccountForm
      state={form.formState}
      onSubmit={signIn}
      submitLabel="Sign in"
      isLeaving
      error={errors.root?.message ?? (isSubmitted ? null : problem)}
    >
      <EmailField {...registerField(form, "email")} />
      <PasswordField
        label="Password"
        {...registerField(form, "password")}
        autoComplete="current-password"
      />
      <p className="-mt-2 text-xs">
        <Link href="/forgot-password" className="py-1 text-accent underline underline-offset-4">
          Forgot your password?
        </Link>
      </p>
    </AccountForm>
  );
}
