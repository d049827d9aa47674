import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { formatUsd } from "@/components/ui/usd";
import type { Rates } from "@/lib/billing/schema";

const CASES = [
  { when: "Citations are not asked for", rate: "Core" },
  { when: "Not streamed, and retrieval runs, even if it finds nothing", rate: "Grounded" },
  { when: "Not streamed, and optional retrieval could not run", rate: "Core" },
  { when: "Streamed with citations enabled", rate: "Grounded, always" },
];

/** Which of the two rates a completion is charged at. */
export function KindTable() {
  return (
    <div className="overflow-hidden rounded-lg border bg-surface">
      <Table>
        <caption className="sr-only">Which rate a completion is charged at</caption>
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
      what: "Document ingestion",
      usd: rates.ingest_usd_per_thousand_tokens,
      unit: "per thousand tokens",
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
    term: "A failed request costs nothing.",
    text: "Whether the fault was yours, ours or the model's.",
  },
  {
    term: "Rounded up once.",
    text: "A request's charge is rounded up to the next micro-dollar ($0.000001), once a request and not once a token.",
  },
  {
    term: "What you hang up on is charged as far as it got.",
    text: "When a client leaves a stream, the model is stopped, and what was generated until then is charged.",
  },
  {
    term: "Prepaid.",
    text: "A request begins only when the balance covers what it may cost at most. The balance cannot go below zero.",
  },
  { term: "Live and test keys cost the same.", text: "Both draw on the account's balance." },
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
