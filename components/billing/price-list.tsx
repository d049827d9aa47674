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
          Pay for tokens, searches and documents from a prepaid balance in US dollars. No
          subscription. Failed requests are free.
        </p>
        <Link href="/billing" className={buttonLook({ variant: "primary", size: "lg" })}>
          Add funds
        </Link>
      </header>
      <Section title="Chat completions" text="In US dollars per million tokens.">
        <RateTable models={rates.models} />
      </Section>
      <Section
        title="Chat and cited chat"
        text="A completion is cited chat when it searches your knowledge bases to cite sources. Every other completion is chat."
      >
        <KindTable />
      </Section>
      <Section title="Knowledge bases" text="Direct search and document uploads.">
        <KnowledgePrices rates={rates} />
      </Section>
      <Section title="How you’re charged">
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
