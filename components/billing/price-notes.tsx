import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { formatUsd } from "@/components/ui/usd";
import type { Rates } from "@/lib/billing/schema";

const CASES = [
  { when: "No citations requested", rate: "Chat" },
  { when: "Not streamed, and retrieval ran (even if it found nothing)", rate: "Cited chat" },
  { when: "Not streamed, and optional retrieval couldn’t run", rate: "Chat" },
  { when: "Streamed with citations enabled", rate: "Cited chat, always" },
];

/** Which of the two rates a completion is charged at. */
export function KindTable() {
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

/** What knowledge bases cost. */
export function KnowledgePrices({ rates }: { rates: Rates }) {
  const prices = [
    { what: "Knowledge base search", usd: rates.search_usd, unit: "per search" },
    {
      what: "Document upload",
      usd: rates.ingest_usd_per_thousand_tokens,
      unit: "per 1,000 tokens",
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
    text: "No matter what caused the failure.",
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
    text: "A request starts only if your balance covers its maximum cost, so you can't be overcharged.",
  },
  { term: "Live and test keys cost the same.", text: "Both use your account balance." },
];

/** What is true of every charge. */
export function ChargeRules() {
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
