"use client";

import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, buttonVariants } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { Moment } from "@/components/ui/time";
import { useSimulatedAction } from "@/lib/money/billing/client";
import type {
  CheckoutStatus,
  SimulatedAction,
  SimulatedCheckout,
} from "@/lib/money/billing/schema";
import { formatCents } from "./amount";
import { OrderFact, SimulatedPage } from "./simulated-page";

/** Replaces a payment provider's page. The user chooses how the payment ends. */
export function SimulatedCheckoutView({ checkout }: { checkout: SimulatedCheckout }) {
  const outcome = useRef<HTMLElement>(null);
  const { stage, error, propsOf } = useSimulatedCheckout(checkout, () => outcome.current?.focus());
  const result = stage === "open" ? null : STAGES[stage];
  return (
    <SimulatedPage
      title="Simulated checkout."
      about="No real money moves. This page replaces Stripe on servers where it isn’t set up."
    >
      <Order checkout={checkout} isOpen={stage === "open"} />
      <section
        ref={outcome}
        tabIndex={-1}
        aria-label="Payment"
        className="grid gap-5 rounded-lg border bg-surface p-5 outline-none"
      >
        <div role="status" className="grid gap-1 empty:absolute">
          {result && (
            <>
              <h2 className="font-medium text-base">{result.title}</h2>
              <p className="text-muted">{result.text}</p>
            </>
          )}
        </div>
        {(stage === "open" || stage === "processing") && <FormError message={error} />}
        {stage === "open" && (
          <OpenActions propsOf={propsOf} amount={formatCents(checkout.amount)} />
        )}
        {stage === "processing" && <ProcessingActions propsOf={propsOf} />}
        {stage !== "open" && (
          <a
            href={checkout.successUrl}
            className={buttonVariants({
              size: "lg",
              variant: stage === "processing" ? "ghost" : "primary",
            })}
          >
            Return to Footnote
          </a>
        )}
      </section>
      {stage === "open" && (
        <a href={checkout.cancelUrl} className={buttonVariants({ variant: "ghost" })}>
          <ArrowLeft aria-hidden />
          Cancel
        </a>
      )}
    </SimulatedPage>
  );
}

function Order({ checkout, isOpen }: { checkout: SimulatedCheckout; isOpen: boolean }) {
  return (
    <header className="grid gap-4">
      <div className="grid gap-1">
        <h1 className="text-muted">Add funds to Footnote</h1>
        <p className="font-semibold text-4xl tracking-tight tabular-nums">
          {formatCents(checkout.amount)}
        </p>
      </div>
      <dl className="grid gap-2 border-t pt-4">
        <OrderFact name="Account">{checkout.accountName}</OrderFact>
        <OrderFact name="Checkout" isCode>
          {checkout.id}
        </OrderFact>
        {isOpen && (
          <OrderFact name="Expires">
            <Moment value={checkout.expiresAt} />
          </OrderFact>
        )}
      </dl>
    </header>
  );
}

/** The page's text once the checkout is no longer open. */
const STAGES: Record<Exclude<CheckoutStatus, "open">, { title: string; text: string }> = {
  processing: {
    title: "Bank debit pending",
    text: "A real one takes days. You decide how this one ends.",
  },
  paid: { title: "Paid", text: "The funds are in your balance." },
  failed: { title: "Bank debit failed", text: "You weren’t charged." },
  expired: { title: "This checkout has expired", text: "You weren’t charged." },
};

/** Runs the page's actions. `onOutcome` is called when this page shows the result. */
function useSimulatedCheckout({ id, status }: SimulatedCheckout, onOutcome: () => void) {
  const action = useSimulatedAction(id);
  const [stage, setStage] = useState(status);
  const isBusy = action.isPending || (action.isSuccess && action.variables === "pay");
  // The checkout may have changed since the browser put the page into its back/forward cache.
  useEffect(() => {
    const back = (event: PageTransitionEvent) => event.persisted && window.location.reload();
    window.addEventListener("pageshow", back);
    return () => window.removeEventListener("pageshow", back);
  }, []);
  const act = (next: SimulatedAction) =>
    !isBusy &&
    action.mutate(next, {
      onSuccess: (answer) => {
        if (next === "pay") {
          window.location.assign(answer.return_url);
        } else if (!answer.declined) {
          setStage(answer.status);
          onOutcome();
        }
      },
    });
  return {
    stage,
    error: action.data?.declined ? DECLINED : action.error?.message,
    /** The props of the button that runs an action. */
    propsOf: (next: SimulatedAction) => ({
      isPending: isBusy && action.variables === next,
      onClick: () => act(next),
    }),
  };
}

const DECLINED =
  "Your card was declined. You weren’t charged. Try again or use another payment method.";

type ActionsProps = Pick<ReturnType<typeof useSimulatedCheckout>, "propsOf">;

const OUTCOMES: { action: SimulatedAction; name: string; text: string }[] = [
  {
    action: "pay_later",
    name: "Pay by bank debit",
    text: "Stays pending until you settle or fail it.",
  },
  {
    action: "decline",
    name: "Decline the card",
    text: "The checkout stays open so you can try again.",
  },
  { action: "expire", name: "Let it expire", text: "Closes the checkout without a payment." },
];

function OpenActions({ amount, propsOf }: ActionsProps & { amount: string }) {
  return (
    <>
      <Button variant="primary" size="lg" {...propsOf("pay")}>
        Pay {amount}
      </Button>
      <ul aria-label="Other outcomes" className="divide-y border-t">
        {OUTCOMES.map(({ action, name, text }) => (
          <li
            key={action}
            className="grid items-center gap-x-4 gap-y-1.5 py-3 last:pb-0 sm:grid-cols-[9.5rem_minmax(0,1fr)]"
          >
            <Button {...propsOf(action)}>{name}</Button>
            <span className="text-muted">{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function ProcessingActions({ propsOf }: ActionsProps) {
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <Button variant="primary" size="lg" {...propsOf("settle")}>
        Settle the debit
      </Button>
      <Button size="lg" {...propsOf("fail")}>
        Fail the debit
      </Button>
    </div>
  );
}
