"use client";

import { ArrowLeft, FlaskConical } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { buttonLook } from "@/components/ui/button";
import { Moment } from "@/components/ui/time";
import type { SimulatedCheckout } from "@/lib/billing/schema";
import { sayCents } from "./amount";
import { OpenActions, ProcessingActions } from "./simulated-actions";
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
  const actions = { amount: sayCents(checkout.amount), pending, error, act };
  return (
    <div className="min-h-dvh">
      <Banner />
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
            Cancel and go back
          </a>
        )}
      </main>
    </div>
  );
}

function Banner() {
  return (
    <aside aria-label="About this page" className="border-b bg-warning-soft">
      <p className="mx-auto flex max-w-lg gap-2.5 px-4 py-3">
        <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
        <span>
          <strong className="font-semibold text-warning">Simulated checkout.</strong> No real money
          moves. This page stands in for Stripe where it is not set up.
        </span>
      </p>
    </aside>
  );
}

function Order({ checkout, isOpen }: { checkout: SimulatedCheckout; isOpen: boolean }) {
  return (
    <header className="grid gap-4">
      <div className="grid gap-1">
        <h1 className="text-muted">Add funds to Footnote</h1>
        <p className="font-semibold text-4xl tracking-tight tabular-nums">
          {sayCents(checkout.amount)}
        </p>
      </div>
      <dl className="grid gap-2 border-t pt-4">
        <Fact name="Account">{checkout.accountName}</Fact>
        <Fact name="Checkout">
          <code className="font-mono text-xs">{checkout.id}</code>
        </Fact>
        {isOpen && (
          <Fact name="Open until">
            <Moment value={checkout.expiresAt} />
          </Fact>
        )}
      </dl>
    </header>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-6">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
