"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import Link from "next/link";
import { useForm } from "react-hook-form";
import * as z from "zod";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { Input } from "@/components/ui/input";
import { type PasswordOutcome, signInWithPassword } from "@/lib/auth/client";
import { SignUp } from "@/lib/auth/schema";
import { PasswordInput } from "./password-input";

const SignIn = SignUp.pick({ email: true }).extend({
  password: z.string().min(1, "Enter your password."),
});

/** Why somebody is not signed in. */
function formatFailure(outcome: Exclude<PasswordOutcome, "signed_in">): string {
  if (outcome === "wrong_password") {
    return "The e-mail or the password is wrong. Check both and try again.";
  }
  return outcome === "failed"
    ? "The server did not answer as it should. Try again in a moment."
    : `There were too many tries with this e-mail. Wait ${outcome.waitSeconds} seconds and try again.`;
}

interface SignInFormProps {
  /** Where to go afterwards. */
  path: string;
  /** What went wrong on the way here, if anything did. */
  problem: string | null;
}

export function SignInForm({ path, problem }: SignInFormProps) {
  // No default values: they would overwrite text typed before hydration.
  const form = useForm({ resolver: zodResolver(SignIn) });
  const { errors, isSubmitting, isSubmitSuccessful, isSubmitted } = form.formState;
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
    // Sent before the page has its script, a form without a method would put the password into the address.
    <form method="post" noValidate onSubmit={signIn} className="grid gap-4">
      <Field label="E-mail" error={errors.email?.message}>
        {(control) => (
          <Input {...control} {...form.register("email")} type="email" autoComplete="email" />
        )}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register("password")}
            autoComplete="current-password"
          />
        )}
      </Field>
      <p className="-mt-2 text-xs">
        <Link href="/forgot-password" className="text-accent underline underline-offset-4">
          Forgot your password?
        </Link>
      </p>
      <FormError message={errors.root?.message ?? (isSubmitted ? null : problem)} />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        isPending={isSubmitting || isSubmitSuccessful}
      >
        Sign in
      </Button>
    </form>
  );
}
