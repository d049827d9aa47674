"use client";

import { ArrowLeft } from "lucide-react";
import { useRef } from "react";
import { buttonLook } from "@/components/ui/button";
import { Moment } from "@/components/ui/time";
import type { SimulatedCheckout } from "@/lib/billing/schema";
import { formatCents } from "./amount";
import { OrderFact } from "./order-fact";
import { OpenActions, ProcessingActions } from "./simulated-actions";
import { SimulatedBanner } from "./simulated-banner";
import { STAGES, useSimulatedCheckout } from "./use-simulated-checkout";

/** Stands in for a provider's page: whoever sits before it decides how the payment ends. */
export function SimulatedCheckoutView({ checkout }: { checkout: SimulatedCheckout }) {
  const outcome = useRef<HTMLElement>(null);
  const { stage, pending, isDeclined, error, act } = useSimulatedCheckout(
    checkout.id,
    checkout.status,
    () => outcome.current?.focus(),
  );
  const words = stage === "open" ? null : STAGES[stage];
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
            {words && (
              <>
                <h2 className="font-medium text-base">{words.title}</h2>
                <p className="text-muted">{words.text}</p>
              </>
            )}
          </div>
          {stage === "open" && <OpenActions {...actions} isDeclined={isDeclined} />}
          {stage === "processing" && <ProcessingActions {...actions} />}
          {stage !== "open" && (
            <a
              href={checkout.successUrl}
              className={buttonLook({
                size: "lg",
                variant: stage === "processing" ? "ghost" : "primary",
              })}
            >
              Return to Footnote
            </a>
          )}
        </section>
        {stage === "open" && (
          <a href={checkout.cancelUrl} className={buttonLook({ variant: "ghost" })}>
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
