"use client";

import { useDeferredValue, useEffect, useState } from "react";
import { cn } from "@/lib/cn";

const ENOUGH = 10;

type Strength = typeof import("@/lib/auth/password-score");

interface StrengthHintProps {
  password: string;
  /** What is known of its owner, such as their e-mail. */
  known?: readonly (string | undefined)[];
}

/** How hard a password is to guess, in words and as a bar. The server decides by the same measure. */
export function StrengthHint({ password, known = [] }: StrengthHintProps) {
  const strength = useStrength(password !== "");
  const typed = useDeferredValue(password);
  if (typed.length < ENOUGH || !strength) {
    return formatLength(typed.length);
  }
  const words = known.filter((text) => text !== undefined);
  const score = strength.passwordScore(typed, words);
  return <Bar score={score} isEnough={score >= strength.MIN_PASSWORD_SCORE} />;
}

/** Its dictionaries, some hundred kilobytes, come when somebody begins to type. */
function useStrength(isNeeded: boolean): Strength | null {
  const [strength, setStrength] = useState<Strength | null>(null);
  useEffect(() => {
    if (isNeeded) {
      // Without it the form goes on; the server checks in any case.
      import("@/lib/auth/password-score").then(setStrength, () => undefined);
    }
  }, [isNeeded]);
  return strength;
}

function formatLength(length: number): string {
  if (length === 0) {
    return `At least ${ENOUGH} characters. A few unrelated words are easy to remember.`;
  }
  return length < ENOUGH ? `${ENOUGH - length} more to go.` : "Long enough.";
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
