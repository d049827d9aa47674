"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import Link from "next/link";
import { useForm, useWatch } from "react-hook-form";
import { PasswordInput } from "@/components/auth/password-input";
import { StrengthHint } from "@/components/auth/strength-hint";
import { Button, buttonLook } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { toast } from "@/components/ui/toast";
import { useChangePassword } from "@/lib/auth/settings-client";
import { ChangePassword, type Settings } from "@/lib/auth/settings-schema";
import { AppError } from "@/lib/errors";
import { Section, SectionBody } from "./section";

const NO_PASSWORDS = { current_password: "", password: "" };

export function PasswordSection({ profile }: Pick<Settings, "profile">) {
  return (
    <Section
      title="Password"
      description="Changing it signs you out everywhere else. API keys go on working."
    >
      <SectionBody>
        {profile.has_password ? (
          <PasswordForm known={[profile.email, profile.name ?? undefined]} />
        ) : (
          <NoPassword />
        )}
      </SectionBody>
    </Section>
  );
}

/** A member who has only ever signed in elsewhere proves themselves by their mailbox. */
function NoPassword() {
  return (
    <>
      <p>
        You sign in with another provider. With a link to your e-mail you can set a password too.
      </p>
      <div>
        <Link href="/forgot-password" className={buttonLook()}>
          Set a password
        </Link>
      </div>
    </>
  );
}

function PasswordForm({ known }: { known: (string | undefined)[] }) {
  const change = useChangePassword();
  const form = useForm({ defaultValues: NO_PASSWORDS, resolver: zodResolver(ChangePassword) });
  const { errors } = form.formState;
  const password = useWatch({ control: form.control, name: "password" });
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
