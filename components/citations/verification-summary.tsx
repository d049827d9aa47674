"use client";

import { TriangleAlert } from "lucide-react";
import type { Verification } from "@/lib/citations/schema";
import { useSelection } from "./citation-scope";
import {
  ANSWERED_LABELS,
  formatCount,
  formatShare,
  listedVerdicts,
  METHOD_LIMITS,
  VERDICT_LABELS,
} from "./labels";
import { VerdictMark } from "./verdict-mark";

/** How well the sources support an answer, and the limits of the check. */
export function VerificationSummary({ verification }: { verification: Verification }) {
  const { answered, sentences, cited, coverage, method, disagreements } = verification;
  const selection = useSelection();
  const isChecked = method !== "off";
  return (
    <section
      aria-label={selection?.name ? `Verification of ${selection.name}` : "Verification"}
      className="grid gap-2 rounded-md border bg-surface p-3"
    >
      {ANSWERED_LABELS[answered] && <p className="font-medium">{ANSWERED_LABELS[answered]}</p>}
      <p>
        {sentences === 0 ? (
          "This answer has no sentences to check."
        ) : (
          <>
            <span className="font-medium">
              {cited} of {formatCount(sentences, ["sentence", "sentences"])} cited
            </span>{" "}
            <span className="text-muted">({formatShare(coverage)})</span>
          </>
        )}
      </p>
      {isChecked && cited > 0 && (
        <ul aria-label="Verdicts" className="flex flex-wrap gap-x-4 gap-y-1">
          {listedVerdicts(verification.unjudged).map((verdict) => (
            <li key={verdict} className="inline-flex items-center gap-1.5">
              <VerdictMark verdict={verdict} className="size-4" />
              <span>
                {VERDICT_LABELS[verdict].name}{" "}
                <span className="font-medium tabular-nums">{verification[verdict] ?? 0}</span>{" "}
                <span className="text-muted text-xs">({VERDICT_LABELS[verdict].line})</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <MarkerFacts verification={verification} />
      <Disagreements disagreements={disagreements} />
      <p className="text-muted text-xs leading-5">{METHOD_LIMITS[method]}</p>
    </section>
  );
}

const MARKERS = ["citation", "citations"] as const;

function MarkerFacts({ verification }: { verification: Verification }) {
  const facts = (
    [
      [verification.dropped_markers, "to sources that don’t exist: removed."],
      [verification.repaired_markers, "in a nonstandard format: normalized."],
      [verification.stripped_markers, "not supported by their source: removed."],
    ] as const
  ).flatMap(([count, fact]) => (count > 0 ? `${formatCount(count, MARKERS)} ${fact}` : []));
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
