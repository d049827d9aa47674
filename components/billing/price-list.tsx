import type { ReactNode } from "react";
import { GetKey } from "@/components/shell/get-key";
import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { formatUsd } from "@/components/ui/usd";
import { ChargeTable } from "@/components/usage/charge-table";
import type { Rates } from "@/lib/money/billing/schema";
import { CostCalculator } from "./cost-calculator";
import { EXAMPLE_TOKENS, exampleCharge, timesPaidBy } from "./example-charge";
import { RateTable } from "./rate-table";

/** All prices, from the rates used for billing. */
export function PriceList({ rates }: { rates: Rates }) {
  const [model] = rates.models;
  return (
    <div className="mx-auto grid max-w-3xl gap-12 px-4 py-12 sm:px-6 sm:py-16">
      <header className="grid justify-items-start gap-4">
        <h1 className="font-medium font-serif text-[3.5rem] leading-[1.04] tracking-[-0.03em]">
          Pricing
        </h1>
        <p className="max-w-prose text-[1.0625rem] text-muted leading-7">
          Pay for tokens, searches and documents from a prepaid balance in US dollars. No
          subscription. Failed requests are free.
        </p>
        <div className="mt-3">
          <GetKey size="lg" />
        </div>
      </header>
      <Section title="Estimate a month">
        <CostCalculator models={rates.models} />
      </Section>
      <Section title="Chat completions" text="In US dollars per million tokens.">
        <RateTable models={rates.models} />
        <CachedRates models={rates.models} />
      </Section>
      <Section
        title="Chat and cited chat"
        text="A completion is cited chat when it searches your knowledge bases to cite sources. Every other completion is chat."
      >
        <KindTable />
      </Section>
      <Section
        title="Knowledge bases and verification"
        text="Direct search, document uploads, and checking text you already have."
      >
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
        <h2 className="font-medium font-serif text-2xl tracking-[-0.015em]">{title}</h2>
        {text && <p className="max-w-prose text-muted">{text}</p>}
      </div>
      {children}
    </section>
  );
}

const CACHE_RATES = [
  ["Cached input", "cached_input_usd_per_million"],
  ["Cache writes", "cache_write_usd_per_million"],
] as const;

/** For models whose providers charge another price for what they read from a cache, or write to it. */
function CachedRates({ models }: { models: Rates["models"] }) {
  return models.flatMap(({ id, core, grounded }) =>
    CACHE_RATES.map(([name, field]) => {
      const { [field]: chat = core.input_usd_per_million } = core;
      const { [field]: cited = grounded.input_usd_per_million } = grounded;
      return core[field] === undefined && grounded[field] === undefined ? null : (
        <p key={`${id} ${name}`} className="max-w-prose text-muted">
          {name} of <code className="font-mono text-ink text-xs">{id}</code>: {formatUsd(chat)} for
          chat, {formatUsd(cited)} for cited chat.
        </p>
      );
    }),
  );
}

const BALANCE_USD = 10;
/** Rates have three decimal places per million tokens, so a cost has at most nine. */
const PLACES = 9;

/** One request at the rates above, calculated like a real charge. */
function WorkedExample({ model }: { model: Rates["models"][number] }) {
  const grounded = exampleCharge(model, "grounded");
  const core = exampleCharge(model, "core");
  const times = timesPaidBy(BALANCE_USD, grounded);
  return (
    <>
      <p className="max-w-prose text-muted">
        A cited answer of <code className="font-mono text-ink text-xs">{model.id}</code> with{" "}
        {EXAMPLE_TOKENS.prompt.toLocaleString("en-US")} prompt tokens, including the sources, and{" "}
        {EXAMPLE_TOKENS.completion} completion tokens, at cited chat rates:
      </p>
      <ChargeTable
        caption="How the example is calculated"
        charge={grounded}
        places={PLACES}
        chargedLabel="Charged (rounded up to a micro-dollar)"
        hasExactTotal
        className="max-w-xl"
      />
      <p className="max-w-prose text-muted">
        The same tokens at chat rates cost {formatUsd(core.charged_usd)}.
        {times !== null &&
          ` ${formatUsd(String(BALANCE_USD))} pays for ${times.toLocaleString("en-US")} cited answers like this.`}
      </p>
    </>
  );
}

const CASES = [
  { when: "No citations requested", rate: "Chat" },
  { when: "Not streamed, and retrieval ran (even if it found nothing)", rate: "Cited chat" },
  { when: "Not streamed, and optional retrieval couldn’t run", rate: "Chat" },
  { when: "Streamed with citations enabled", rate: "Cited chat, always" },
];

function KindTable() {
  return (
    <div className="overflow-hidden rounded-lg border bg-surface">
      <Table>
        <caption className="sr-only">Rates by request type</caption>
        <thead>
          <tr>
            <ColumnHead>Request</ColumnHead>
            <ColumnHead>Rate</ColumnHead>
          </tr>
        </thead>
        <tbody>
          {CASES.map(({ when, rate }) => (
            <Row key={when}>
              <Cell>{when}</Cell>
              <Cell className="font-medium sm:whitespace-nowrap">{rate}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function KnowledgePrices({ rates }: { rates: Rates }) {
  const prices = [
    { what: "Knowledge base search", usd: rates.search_usd, unit: "per search" },
    {
      what: "Verification of a text’s citations",
      usd: rates.verification_usd_per_citation,
      unit: `per citation or 10,000 characters, the first ${rates.verification_free_citations} of each request free`,
    },
    ...(rates.embedding_model === null
      ? []
      : [
          {
            what: "Embeddings",
            usd: rates.embedding_usd_per_million_tokens,
            unit: "per million tokens",
          },
        ]),
    {
      what: "Document upload",
      usd: rates.ingest_usd_per_thousand_tokens,
      unit: "per 1,000 tokens",
    },
    {
      what: "Text recognition (OCR) in scans and images",
      usd: rates.ocr_usd_per_page,
      unit: "per page",
    },
    {
      what: "Document too complex to parse",
      usd: rates.failed_parsing_usd_per_cpu_second,
      unit: "per second of CPU time",
    },
  ];
  return (
    <dl className="divide-y overflow-hidden rounded-lg border bg-surface">
      {prices.map(({ what, usd, unit }) => (
        <div key={what} className="flex flex-wrap items-baseline justify-between gap-x-6 px-3 py-3">
          <dt>{what}</dt>
          <dd>
            <span className="font-medium tabular-nums">{formatUsd(usd)}</span>{" "}
            <span className="text-muted">{unit}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const RULES = [
  {
    term: "Failed requests are free.",
    text: "No matter what caused the failure. There are three exceptions: CPU time of a document that exceeds the parsing limits, recognized pages of a job that failed, and what a stream had generated when the server stopped.",
  },
  {
    term: "Rounded once per request.",
    text: "Each charge is rounded up to the next micro-dollar ($0.000001), once per request.",
  },
  {
    term: "Pay only for what was generated.",
    text: "If you disconnect mid-stream, the model stops and you pay only for what was generated.",
  },
  {
    term: "Prepaid.",
    text: "A request starts only if your balance covers its maximum cost, so you can’t be overcharged.",
  },
  { term: "Live and test keys cost the same.", text: "Both use your account balance." },
];

function ChargeRules() {
  return (
    <ul className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
      {RULES.map(({ term, text }) => (
        <li key={term}>
          <span className="font-medium">{term}</span> <span className="text-muted">{text}</span>
        </li>
      ))}
    </ul>
  );
}
