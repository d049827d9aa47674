import Link from "next/link";
import type { ReactNode } from "react";
import { buttonLook } from "@/components/ui/button";
import type { Rates } from "@/lib/billing/schema";
import { ChargeRules, KindTable, KnowledgePrices } from "./price-notes";
import { RateTable } from "./rate-table";
import { WorkedExample } from "./worked-example";

/** What everything costs, from the rates that charges are made by. */
export function PriceList({ rates }: { rates: Rates }) {
  const [model] = rates.models;
  return (
    <div className="mx-auto grid max-w-3xl gap-12 px-4 py-12 sm:px-6 sm:py-16">
      <header className="grid justify-items-start gap-3">
        <h1 className="font-semibold text-3xl tracking-tight">Pricing</h1>
        <p className="max-w-prose text-base text-muted">
          You pay for tokens, searches and documents from a prepaid balance in US dollars. There is
          no subscription, and a failed request costs nothing.
        </p>
        <Link href="/billing" className={buttonLook({ variant: "primary", size: "lg" })}>
          Add funds
        </Link>
      </header>
      <Section title="Chat completions" text="US dollars per million tokens.">
        <RateTable models={rates.models} />
      </Section>
      <Section
        title="Core and grounded"
        text="A grounded completion is one for which knowledge bases were searched, so that it can cite its sources. Every other completion is core."
      >
        <KindTable />
      </Section>
      <Section title="Knowledge bases" text="Searching them directly, and putting documents in.">
        <KnowledgePrices rates={rates} />
      </Section>
      <Section title="How a request is charged">
        <ChargeRules />
      </Section>
      {model && (
        <Section title="An example">
          <WorkedExample model={model} />
        </Section>
      )}
    </div>
  );
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-4">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lg tracking-tight">{title}</h2>
        {text && <p className="max-w-prose text-muted">{text}</p>}
      </div>
      {children}
    </section>
  );
}
