import { type FormEvent, type Ref, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { UsdInput } from "@/components/ui/input";
import { formatUsd } from "@/components/ui/usd";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { AppError } from "@/lib/errors";
import { newAttempt, useStartCheckout } from "@/lib/money/billing/client";
import { describeOutstanding } from "@/lib/money/billing/outstanding";
import type { CheckoutConfig, Credits, PaymentProviderName } from "@/lib/money/billing/schema";
import { findProblem, formatCents, formatCentsInput, parseCents } from "./amount";

interface AddFundsDialogProps extends DialogHandlers {
  config: Omit<CheckoutConfig, "rates"> & { provider: PaymentProviderName };
  credits: Credits;
}

export function AddFundsDialog({ config, credits, ...handlers }: AddFundsDialogProps) {
  const [text, setText] = useState(formatCentsInput(config.presets[1] ?? config.min_amount));
  const [isChecked, setIsChecked] = useState(false);
  const checkout = useLeaveForCheckout(handlers.onClose);
  const problem = isChecked ? findProblem(text, config) : null;
  const refusal = checkout.error?.message;
  const isAboutAmount = checkout.error instanceof AppError && checkout.error.param === "amount";

  const input = useRef<HTMLInputElement>(null);
  const change = (next: string) => {
    if (!checkout.isLeaving) {
      setText(next);
      checkout.reset();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    const cents = findProblem(text, config) === null ? parseCents(text) : null;
    if (cents === null) {
      input.current?.focus();
    } else if (!checkout.isLeaving) {
      checkout.leave(cents);
    }
  };
  return (
    <FormDialog
      title="Add funds"
      description={[DESCRIPTIONS[config.provider], outstandingOf(credits)]
        .filter(Boolean)
        .join(" ")}
      submitLabel="Continue to checkout"
      isPending={checkout.isLeaving}
      error={isAboutAmount ? null : refusal}
      onSubmit={submit}
      {...handlers}
    >
      <AmountField
        input={input}
        text={text}
        config={config}
        error={problem ?? (isAboutAmount ? refusal : undefined)}
        onChange={change}
        onLeave={() => setText(tidy)}
      />
    </FormDialog>
  );
}

const DESCRIPTIONS: Record<PaymentProviderName, string> = {
  stripe: "You'll pay on Stripe, then come back here.",
  simulated: "This deployment uses a simulated checkout. No real money moves.",
};

function outstandingOf({ outstanding_usd, outstanding_reason }: Credits): string | null {
  return describeOutstanding(formatUsd(outstanding_usd), outstanding_reason);
}

function tidy(text: string): string {
  const cents = parseCents(text);
  return cents === null ? text : formatCentsInput(cents);
}

interface AmountFieldProps {
  input: Ref<HTMLInputElement>;
  text: string;
  config: Omit<CheckoutConfig, "rates" | "provider">;
  error: string | undefined;
  onChange: (text: string) => void;
  onLeave: () => void;
}

function AmountField({ input, text, config, error, onChange, onLeave }: AmountFieldProps) {
  const cents = parseCents(text);
  return (
    <div className="grid gap-3">
      <Field
        label="Amount (USD)"
        hint={`From ${formatCents(config.min_amount)} to ${formatCents(config.max_amount)}.`}
        error={error}
      >
        {(control) => (
          <UsdInput
            {...control}
            ref={input}
            autoFocus
            value={text}
            className="h-11 text-lg sm:text-lg"
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => onChange(event.currentTarget.value)}
            onBlur={onLeave}
          />
        )}
      </Field>
      <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        <legend className="sr-only">Preset amounts</legend>
        {config.presets.map((preset) => (
          <Button
            key={preset}
            aria-pressed={preset === cents}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent tabular-nums"
            onClick={() => onChange(formatCentsInput(preset))}
          >
            {formatCents(preset).replace(/\.00$/, "")}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}

/** Starts a checkout and opens its page. Retries with the same amount reuse the same checkout. */
function useLeaveForCheckout(onBack: () => void) {
  const start = useStartCheckout();
  const attempts = useRef(new Map<number, string>());
  // Browsers may restore this page from the back/forward cache, spinner included.
  useEffect(() => {
    const back = (event: PageTransitionEvent) => event.persisted && onBack();
    window.addEventListener("pageshow", back);
    return () => window.removeEventListener("pageshow", back);
  }, [onBack]);
  return {
    error: start.error,
    reset: start.reset,
    isLeaving: start.isPending || start.isSuccess,
    leave: (amount: number) => {
      const attempt = attempts.current.get(amount) ?? newAttempt();
      attempts.current.set(amount, attempt);
      start.mutate({ amount, attempt }, { onSuccess: ({ url }) => window.location.assign(url) });
    },
  };
}
