"use client";

import "./receipt.css";
import { Printer } from "lucide-react";
import Link from "next/link";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button, buttonVariants } from "@/components/ui/button";
import { ExactTime } from "@/components/ui/time";
import { Usd } from "@/components/ui/usd";
import type { SimulatedReceipt } from "@/lib/billing/schema";
import { OrderFact } from "./order-fact";
import { SimulatedBanner } from "./simulated-banner";

/** Replaces a provider's receipt. Prints in the light theme, without buttons. */
export function SimulatedReceiptView({ receipt }: { receipt: SimulatedReceipt }) {
  const { name, tone } = statusOf(receipt);
  const isRefunded = /[1-9]/.test(receipt.refundedUsd);
  return (
    <div className="min-h-dvh">
      <SimulatedBanner title="Simulated receipt.">
        No real money moved. This page replaces Stripe&rsquo;s on servers where it isn&rsquo;t set
        up, and isn&rsquo;t proof of payment.
      </SimulatedBanner>
      <main className="mx-auto grid max-w-lg gap-6 px-4 py-8 sm:py-14">
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
            <Reference name="Payment" id={receipt.reference} />
            <Reference name="Checkout" id={receipt.checkoutId} />
          </dl>
        </article>
        <div className="flex flex-wrap gap-2 print:hidden">
          <PrintButton />
          <Link href="/billing" className={buttonVariants({ variant: "ghost" })}>
            Back to billing
          </Link>
        </div>
      </main>
    </div>
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

function Reference({ name, id }: { name: string; id: string }) {
  return (
    <OrderFact name={name}>
      <code className="font-mono text-xs">{id}</code>
    </OrderFact>
  );
}

/** Opens the browser's print dialog. */
function PrintButton() {
  return (
    <Button variant="primary" onClick={() => window.print()}>
      <Printer aria-hidden />
      Print or save
    </Button>
  );
}
