"use client";

import "./receipt.css";
import { Printer } from "lucide-react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { ExactTime } from "@/components/ui/time";
import { Usd } from "@/components/ui/usd";
import type { SimulatedReceipt } from "@/lib/money/billing/schema";
import { OrderFact, SimulatedPage } from "./simulated-page";

/** Replaces a provider's receipt. Prints in the light theme, without buttons. */
export function SimulatedReceiptView({ receipt }: { receipt: SimulatedReceipt }) {
  const { name, tone } = statusOf(receipt);
  const isRefunded = /[1-9]/.test(receipt.refundedUsd);
  return (
    <SimulatedPage
      title="Simulated receipt."
      about="No real money moved. This page replaces Stripe’s on servers where it isn’t set up, and isn’t proof of payment."
    >
      <article
        aria-labelledby="receipt"
        className="grid gap-5 rounded-lg border bg-surface p-5 sm:p-6"
      >
        <header className="grid gap-1">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h1 id="receipt" className="text-muted">
              Receipt from Footnote
            </h1>
            <Badge tone={tone}>{name}</Badge>
          </div>
          <p className="font-semibold text-4xl tracking-tight">
            <Usd value={receipt.amountUsd} />
          </p>
        </header>
        <dl className="grid gap-2 border-t pt-4">
          <OrderFact name="For">Account credit</OrderFact>
          <OrderFact name="Account">{receipt.accountName}</OrderFact>
          <OrderFact name="Paid">
            <ExactTime value={receipt.paidAt} />
          </OrderFact>
          <OrderFact name="Payment method">{METHODS[receipt.method]}</OrderFact>
          {isRefunded && (
            <OrderFact name="Refunded">
              <Usd value={receipt.refundedUsd} />
            </OrderFact>
          )}
          <OrderFact name="Payment" isCode>
            {receipt.reference}
          </OrderFact>
          <OrderFact name="Checkout" isCode>
            {receipt.checkoutId}
          </OrderFact>
        </dl>
      </article>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button variant="primary" onClick={() => window.print()}>
          <Printer aria-hidden />
          Print or save
        </Button>
        <ButtonLink href="/billing" variant="ghost">
          Back to billing
        </ButtonLink>
      </div>
    </SimulatedPage>
  );
}

const METHODS: Record<SimulatedReceipt["method"], string> = {
  card: "Simulated card",
  bank_debit: "Simulated bank debit",
};

function statusOf({ amountUsd, refundedUsd }: SimulatedReceipt): { name: string; tone: Tone } {
  if (!/[1-9]/.test(refundedUsd)) {
    return { name: "Paid", tone: "success" };
  }
  return refundedUsd === amountUsd
    ? { name: "Refunded", tone: "neutral" }
    : { name: "Partially refunded", tone: "warning" };
}
