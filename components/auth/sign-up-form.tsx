"use client";

import { useForm, useWatch } from "react-hook-form";
import { registerField, TextField } from "@/components/ui/field";
import { postSignUp, signInWithPassword } from "@/lib/platform/auth/client";
import { AccountForm, EmailField } from "./account-form";
import { showServerError } from "./form-errors";
import { formResolver } from "./form-resolver";
import { NewPasswordField } from "./password-field";

/** Creates an account, signs in its first member and goes to `path`. */
export function SignUpForm({ path }: { path: string }) {
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm({ resolver: formResolver(({ signUp }) => signUp) });
  const [password = "", email, name] = useWatch({
    control: form.control,
    name: ["password", "email", "name"],
  });
  const submit = form.handleSubmit(async (values) => {
    try {
      await postSignUp({ ...values, name: values.name || undefined });
      const outcome = await signInWithPassword(values.email, values.password);
      window.location.assign(outcome === "signed_in" ? path : "/sign-in?error=after_sign_up");
    } catch (error) {
      showServerError(form.setError, error, ["email", "password", "name"]);
    }
  });
  return (
    <AccountForm state={form.formState} onSubmit={submit} submitLabel="Create account" isLeaving>
      <TextField label="Name (optional)" {...registerField(form, "name")} autoComplete="name" />
      <EmailField {...registerField(form, "email")} />
      <NewPasswordField
        label="Password"
        password={password}
        known={[email, name]}
        {...registerField(form, "password")}
      />
    </AccountForm>
  );
}
