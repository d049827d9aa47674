"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { PasswordInput } from "@/components/auth/password-input";
import { StrengthHint } from "@/components/auth/strength-hint";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { toast } from "@/components/ui/toast";
import { useChangePassword } from "@/lib/auth/settings-client";
import { ChangePassword } from "@/lib/auth/settings-schema";
import { AppError } from "@/lib/errors";

const NO_PASSWORDS = { current_password: "", password: "" };

/** A new password for who knows the present one. `known`: what must not be part of it. */
export function PasswordForm({ known }: { known: (string | undefined)[] }) {
  const change = useChangePassword();
  // No default values: they would overwrite text typed before hydration.
  const form = useForm({ resolver: zodResolver(ChangePassword) });
  const { errors } = form.formState;
  const password = useWatch({ control: form.control, name: "password", defaultValue: "" });
  const submit = form.handleSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => {
        form.reset(NO_PASSWORDS);
        toast.success("Your password is changed, and you are signed out everywhere else");
      },
      onError: (error) => {
        const { data: field } = ChangePassword.keyof().safeParse(
          error instanceof AppError ? error.param : null,
        );
        form.setError(field ?? "root", { message: error.message }, { shouldFocus: true });
      },
    }),
  );
  return (
    <form method="post" noValidate onSubmit={submit} className="grid max-w-md gap-4">
      <Field label="Present password" error={errors.current_password?.message}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register("current_password")}
            autoComplete="current-password"
          />
        )}
      </Field>
      <Field
        label="New password"
        hint={<StrengthHint password={password} known={known} />}
        error={errors.password?.message}
      >
        {(control) => (
          <PasswordInput {...control} {...form.register("password")} autoComplete="new-password" />
        )}
      </Field>
      <FormError message={errors.root?.message} />
      <div>
        <Button type="submit" isPending={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
