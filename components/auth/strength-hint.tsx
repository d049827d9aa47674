"use client";

import { useDeferredValue, useEffect, useState } from "react";
import { cn } from "@/lib/cn";

const MIN_LENGTH = 10;

type Strength = typeof import("@/lib/auth/password-score");

interface StrengthHintProps {
  password: string;
  /** The owner's email and name, which the password must not be based on. */
  known?: readonly (string | undefined)[];
}

/** How hard a password is to guess, as text and a bar. The server checks with the same score. */
export function StrengthHint({ password, known = [] }: StrengthHintProps) {
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
      import("@/lib/auth/password-score").then(setStrength, () => undefined);
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
