"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useDeferredValue, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { cn } from "@/lib/cn";

const MIN_LENGTH = 10;

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

type NewPasswordFieldProps = Omit<PasswordFieldProps, "hint"> & StrengthHintProps;

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

type Strength = typeof import("@/lib/platform/auth/password-score");

interface StrengthHintProps {
  password: string;
  /** The owner's email and name, which the password must not be based on. */
  known?: readonly (string | undefined)[];
}

/** How hard a password is to guess, as text and a bar. The server checks with the same score. */
function StrengthHint({ password, known = [] }: StrengthHintProps) {
  const strength = useStrength(password !== "");
  const typed = useDeferredValue(password);
  if (typed.length < MIN_LENGTH || !strength) {
    return formatLength(typed.length);
  }
  const context = known.filter((text) => text !== undefined);
  const score = strength.passwordScore(typed, context);
  return <Bar score={score} isEnough={score >= strength.MIN_PASSWORD_SCORE} />;
}

/** The dictionaries are several hundred kilobytes, so they load once typing starts. */
function useStrength(isNeeded: boolean): Strength | null {
  const [strength, setStrength] = useState<Strength | null>(null);
  useEffect(() => {
    if (isNeeded) {
      // The form works without it; the server checks anyway.
      import("@/lib/platform/auth/password-score").then(setStrength, () => undefined);
    }
  }, [isNeeded]);
  return strength;
}

function formatLength(length: number): string {
  if (length === 0) {
    return `At least ${MIN_LENGTH} characters. A few unrelated words are easy to remember.`;
  }
  return length < MIN_LENGTH ? `${MIN_LENGTH - length} more to go.` : "Long enough.";
}

function Bar({ score, isEnough }: { score: number; isEnough: boolean }) {
  return (
    <span className="grid gap-1.5">
      <span aria-hidden className="flex gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cn(
              "h-1 flex-1 rounded-full",
              step > Math.max(1, score) ? "bg-sunken" : isEnough ? "bg-success" : "bg-warning",
            )}
          />
        ))}
      </span>
      <span>{isEnough ? "Hard to guess." : "Easy to guess. Add a few unrelated words."}</span>
    </span>
  );
}
