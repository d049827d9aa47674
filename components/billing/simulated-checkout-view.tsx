"use client";

import { ArrowLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button, buttonVariants } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { Moment } from "@/components/ui/time";
import { useSimulatedAction } from "@/lib/billing/client";
import type { CheckoutStatus, SimulatedAction, SimulatedCheckout } from "@/lib/billing/schema";
import { formatCents } from "./amount";
import { OrderFact } from "./order-fact";
import { SimulatedBanner } from "./simulated-banner";

/** Replaces a payment provider's page. The user chooses how the payment ends. */
export function SimulatedCheckoutView({ checkout }: { checkout: SimulatedCheckout }) {
  const outcome = useRef<HTMLElement>(null);
  const { stage, pending, isDeclined, error, act } = useSimulatedCheckout(
    checkout.id,
    checkout.status,
    () => outcome.current?.focus(),
  );
  const result = stage === "open" ? null : STAGES[stage];
  const actions = { amount: formatCents(checkout.amount), pending, error, act };
  return (
    <div className="min-h-dvh">
      <SimulatedBanner title="Simulated checkout.">
        No real money moves. This page replaces Stripe on servers where it isn’t set up.
      </SimulatedBanner>
      <main className="mx-auto grid max-w-lg gap-6 px-4 py-8 sm:py-14">
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
          {stage === "open" && <OpenActions {...actions} isDeclined={isDeclined} />}
          {stage === "processing" && <ProcessingActions {...actions} />}
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
      </main>
    </div>
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
        <OrderFact name="Checkout">
          <code className="font-mono text-xs">{checkout.id}</code>
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
function useSimulatedCheckout(id: string, first: CheckoutStatus, onOutcome: () => void) {
  const action = useSimulatedAction(id);
  const [stage, setStage] = useState(first);
  const [isLeaving, setIsLeaving] = useState(false);
  useReloadAfterBack();
  const act = (next: SimulatedAction) => {
    if (action.isPending || isLeaving) {
      return;
    }
    action.mutate(next, {
      onSuccess: (answer) => {
        if (next === "pay") {
          setIsLeaving(true);
          window.location.assign(answer.return_url);
        } else if (!answer.declined) {
          setStage(answer.status);
          onOutcome();
        }
      },
    });
  };
  return {
    stage,
    act,
    error: action.error,
    pending: action.isPending || isLeaving ? (action.variables ?? null) : null,
    isDeclined: action.data?.declined ?? false,
  };
}

/** Refreshes a page restored from the back/forward cache, since the checkout may have changed. */
function useReloadAfterBack(): void {
  useEffect(() => {
    const back = (event: PageTransitionEvent) => event.persisted && window.location.reload();
    window.addEventListener("pageshow", back);
    return () => window.removeEventListener("pageshow", back);
  }, []);
}

interface ActionsProps {
  /** Formatted for display. */
  amount: string;
  /** The action in progress. */
  pending: SimulatedAction | null;
  error: Error | null;
  act: (action: SimulatedAction) => void;
}

const DECLINED =
  "Your card was declined. You weren’t charged. Try again or use another payment method.";

/** How an open checkout can end. */
function OpenActions({
  amount,
  pending,
  isDeclined,
  error,
  act,
}: ActionsProps & { isDeclined: boolean }) {
  return (
    <>
      <FormError message={isDeclined ? DECLINED : error?.message} />
      <Button variant="primary" size="lg" isPending={pending === "pay"} onClick={() => act("pay")}>
        Pay {amount}
      </Button>
      <ul aria-label="Other outcomes" className="divide-y border-t">
        <Outcome text="Stays pending until you settle or fail it.">
          <Button isPending={pending === "pay_later"} onClick={() => act("pay_later")}>
            Pay by bank debit
          </Button>
        </Outcome>
        <Outcome text="The checkout stays open so you can try again.">
          <Button isPending={pending === "decline"} onClick={() => act("decline")}>
            Decline the card
          </Button>
        </Outcome>
        <Outcome text="Closes the checkout without a payment.">
          <Button isPending={pending === "expire"} onClick={() => act("expire")}>
            Let it expire
          </Button>
        </Outcome>
      </ul>
    </>
  );
}

/** How a pending bank debit can end. */
function ProcessingActions({ pending, error, act }: ActionsProps) {
  return (
    <>
      <FormError message={error?.message} />
      <div className="grid gap-2 sm:grid-cols-2">
        <Button
          variant="primary"
          size="lg"
          isPending={pending === "settle"}
          onClick={() => act("settle")}
        >
          Settle the debit
        </Button>
        <Button size="lg" isPending={pending === "fail"} onClick={() => act("fail")}>
          Fail the debit
        </Button>
      </div>
    </>
  );
}

function Outcome({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li className="grid items-center gap-x-4 gap-y-1.5 py-3 last:pb-0 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      {children}
      <span className="text-muted">{text}</span>
    </li>
  );
}
