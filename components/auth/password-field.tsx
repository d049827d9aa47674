"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { StrengthHint } from "./strength-hint";

type PasswordFieldProps = Omit<ComponentProps<"input">, "type"> & {
  label: string;
  hint?: ComponentProps<typeof Field>["hint"];
  error: string | undefined;
};

/** A password input with a button that reveals what was typed. */
export function PasswordField({ label, hint, error, ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            {...props}
            type={isShown ? "text" : "password"}
            spellCheck={false}
            autoCapitalize="none"
            className="pr-10"
          />
          <Button
            variant="ghost"
            size="icon"
            aria-label="Show password"
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
            className="absolute top-0.5 right-0.5"
          >
            <Icon aria-hidden />
          </Button>
        </div>
      )}
    </Field>
  );
}

type NewPasswordFieldProps = Omit<PasswordFieldProps, "hint"> & ComponentProps<typeof StrengthHint>;

/** The same for a new password, with a hint on how hard it is to guess. */
export function NewPasswordField({ password, known, ...props }: NewPasswordFieldProps) {
  return (
    <PasswordField
      {...props}
      hint={<StrengthHint password={password} known={known} />}
      autoComplete="new-password"
    />
  );
}
