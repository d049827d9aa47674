"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { Input } from "@/components/ui/input";
import { postSignUp, signInWithPassword } from "@/lib/auth/client";
import { SignUp } from "@/lib/auth/schema";
import { AppError } from "@/lib/errors";
import { PasswordInput } from "./password-input";
import { StrengthHint } from "./strength-hint";

/** Makes an account, signs its first member in and goes to `path`. */
export function SignUpForm({ path }: { path: string }) {
  // No default values: they would overwrite text typed before hydration.
  const form = useForm({ resolver: zodResolver(SignUp) });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const [password = "", email, name] = useWatch({
    control: form.control,
    name: ["password", "email", "name"],
  });
  const join = form.handleSubmit(async (values) => {
    try {
      await postSignUp({ ...values, name: values.name || undefined });
      const outcome = await signInWithPassword(values.email, values.password);
      window.location.assign(outcome === "signed_in" ? path : "/sign-in?error=after_sign_up");
    } catch (error) {
      showRefusal(form.setError, error);
    }
  });
  return (
    // Sent before the page has its script, a form without a method would put the password into the address.
    <form method="post" noValidate onSubmit={join} className="grid gap-4">
      <Field label="Name (optional)" error={errors.name?.message}>
        {(control) => <Input {...control} {...form.register("name")} autoComplete="name" />}
      </Field>
      <Field label="E-mail" error={errors.email?.message}>
        {(control) => (
          <Input {...control} {...form.register("email")} type="email" autoComplete="email" />
        )}
      </Field>
      <Field
        label="Password"
        hint={<StrengthHint password={password} known={[email, name]} />}
        error={errors.password?.message}
      >
        {(control) => (
          <PasswordInput {...control} {...form.register("password")} autoComplete="new-password" />
        )}
      </Field>
      <FormError message={errors.root?.message} />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        isPending={isSubmitting || isSubmitSuccessful}
      >
        Create account
      </Button>
    </form>
  );
}

type SetError = ReturnType<typeof useForm<SignUp>>["setError"];

/** Puts the server's refusal beside the field it speaks of, else under the form. */
function showRefusal(setError: SetError, error: unknown): void {
  const { data: field } = SignUp.keyof().safeParse(error instanceof AppError ? error.param : null);
  const message =
    error instanceof Error ? error.message : "The account was not created. Try again in a moment.";
  setError(field ?? "root", { message }, { shouldFocus: Boolean(field) });
}
