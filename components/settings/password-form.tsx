import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { showServerError } from "@/components/auth/form-errors";
import { NewPasswordField, PasswordField } from "@/components/auth/password-field";
import { Button } from "@/components/ui/button";
import { registerField } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { toast } from "@/components/ui/toast";
import { useChangePassword } from "@/lib/platform/auth/settings-client";
import { ChangePassword } from "@/lib/platform/auth/settings-schema";

/** Changes the password. `known`: the member's email and name, which it must not be based on. */
export function PasswordForm({ known }: { known: (string | undefined)[] }) {
  const change = useChangePassword();
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm({ resolver: zodResolver(ChangePassword) });
  const { errors } = form.formState;
  const password = useWatch({ control: form.control, name: "password", defaultValue: "" });
  const submit = form.handleSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => {
        form.reset({ current_password: "", password: "" });
        toast.success("Password changed. You’re signed out everywhere else.");
      },
      onError: (error) => showServerError(form.setError, error, ["current_password", "password"]),
    }),
  );
  return (
    <form method="post" noValidate onSubmit={submit} className="grid max-w-md gap-4">
      <PasswordField
        label="Current password"
        {...registerField(form, "current_password")}
        autoComplete="current-password"
      />
      <NewPasswordField
        label="New password"
        password={password}
        known={known}
        {...registerField(form, "password")}
      />
      <FormError message={errors.root?.message} />
      <div>
        <Button type="submit" isPending={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
