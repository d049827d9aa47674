"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { registerField, TextField } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { postSignUp, signInWithPassword } from "@/lib/auth/client";
import { SignUp } from "@/lib/auth/schema";
import { showServerError } from "./form-errors";
import { NewPasswordField } from "./password-field";

/** Creates an account, signs in its first member and goes to `path`. */
export function SignUpForm({ path }: { path: string }) {
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm({ resolver: zodResolver(SignUp) });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const isBusy = isSubmitting || isSubmitSuccessful;
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
    // Without a method, a form submitted before hydration would put the password into the URL.
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <TextField label="Name (optional)" {...registerField(form, "name")} autoComplete="name" />
      <TextField
        label="Email"
        {...registerField(form, "email")}
        type="email"
        autoComplete="email"
      />
      <NewPasswordField
        label="Password"
        password={password}
        known={[email, name]}
        {...registerField(form, "password")}
      />
      <FormError message={errors.root?.message} />
      <Button type="submit" variant="primary" size="lg" isPending={isBusy}>
        Create account
      </Button>
    </form>
  );
}
