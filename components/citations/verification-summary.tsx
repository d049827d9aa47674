"use client";

import { TriangleAlert } from "lucide-react";
import type { Verification } from "@/lib/answers/citations/schema";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import { useSelection } from "./citation-scope";
import { listMarkerFacts, METHOD_LIMITS, VERDICT_LABELS, VERDICTS } from "./labels";
import { summarize } from "./summary";
import { VerdictMark } from "./verdict-mark";

/** How well the sources support an answer, in plain words. The limits of the check are one click away. */
export function VerificationSummary({ verification }: { verification: Verification }) {
  const selection = useSelection();
  const { lead, rest, worst } = summarize(verification);
  return (
    <section
      aria-label={selection?.name ? `Verification of ${selection.name}` : "Verification"}
      className="grid gap-2 rounded-md border bg-surface p-3"
    >
      <div className="flex gap-2">
        {worst && <VerdictMark verdict={worst} className="mt-0.5 size-4" />}
        <p className="min-w-0">
          <span className="font-medium">{lead}</span>{" "}
          <span className="text-muted">{rest.join(" ")}</span>
        </p>
      </div>
      {worst && <Verdicts verification={verification} />}
      <MarkerFacts verification={verification} />
      <Disagreements disagreements={verification.disagreements} />
      <details className="text-muted text-xs">
        <summary className="min-h-6 w-fit cursor-pointer leading-6 hover:text-ink">
          How this is checked
        </summary>
        <p className="max-w-prose leading-5">{METHOD_LIMITS[verification.method]}</p>
      </details>
    </section>
  );
}

/** The sentences of each verdict that occurs. One verdict alone is in the summary already. */
function Verdicts({ verification }: { verification: Verification }) {
  const found = VERDICTS.filter((verdict: Verdict) => (verification[verdict] ?? 0) > 0);
  return (
    found.length > 1 && (
      <ul aria-label="Verdicts" className="flex flex-wrap gap-x-4 gap-y-1">
        {found.map((verdict) => (
          <li key={verdict} className="inline-flex items-center gap-1.5">
            <VerdictMark verdict={verdict} className="size-4" />
            {VERDICT_LABELS[verdict].name}{" "}
            <span className="font-medium tabular-nums">{verification[verdict]}</span>
          </li>
        ))}
      </ul>
    )
  );
}

function MarkerFacts({ verification }: { verification: Verification }) {
  const facts = listMarkerFacts(verification);
  return (
    facts.length > 0 && (
      <ul className="grid gap-1 text-xs">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        {(verification.stripped ?? []).map(({ citation_id, claim }) => (
          <li key={`${citation_id} ${claim}`} className="break-words text-muted">
            [{citation_id}] after “{claim}”
          </li>
        ))}
      </ul>
    )
  );
}

function Disagreements({ disagreements }: Pick<Verification, "disagreements">) {
  return (
    disagreements.length > 0 && (
      <div className="grid gap-1 rounded-md bg-warning-soft p-2">
        <p className="flex items-center gap-1.5 font-medium text-warning">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          Cited sources disagree on a number
        </p>
        <ul className="grid gap-1 text-xs">
          {disagreements.map(({ unit, terms, values }) => (
            <li key={`${terms.join()} ${unit} ${values.map(({ char_start }) => char_start)}`}>
              {terms.length > 0 && `${terms.join(", ")}: `}
              {values.map(({ citation_id, text }) => `[${citation_id}] ${text}`).join(" · ")}
            </li>
          ))}
        </ul>
      </div>
    )
  );
}
