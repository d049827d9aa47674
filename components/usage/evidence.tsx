import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import {
  formatSimilarity,
  listedVerdicts,
  listMarkerFacts,
  METHOD_LIMITS,
  VERDICT_LABELS,
} from "@/components/citations/labels";
import { VerdictMark } from "@/components/citations/verdict-mark";
import { withBullets } from "@/components/documents/text-layout";
import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import { Badge } from "@/components/ui/badge";
import { unbroken } from "@/components/ui/unbroken";
import { formatCount } from "@/lib/format-count";
import type { RequestRecord, SourceUsed } from "@/lib/money/usage/schema";
import { withColumnNames } from "@/lib/text/tables";
import type { ShownPassage, ShownPassages } from "./passages";
import { Section } from "./section";

type Counts = RequestRecord["details"]["verification"];

/** The verification counts, which are stored even when the answer isn't. */
export function Checks({ verification: counts }: { verification: Counts }) {
  if (!counts) {
    return null;
  }
  const { method } = counts;
  return (
    <Section title="Checks">
      <div className="grid gap-3 rounded-lg border bg-surface p-4">
        <p>
          {numberOf(counts, "sentences") === 0
            ? "This answer has no sentences to check."
            : `${numberOf(counts, "cited")} of ${formatCount(numberOf(counts, "sentences"), "sentence")} cited`}
        </p>
        {method !== "off" && (
          <ul aria-label="Verdicts" className="flex flex-wrap gap-x-5 gap-y-1.5">
            {listedVerdicts(numberOf(counts, "unjudged")).map((verdict) => (
              <li key={verdict} className="flex items-center gap-1.5">
                <VerdictMark verdict={verdict} className="size-4" />
                {VERDICT_LABELS[verdict].name}{" "}
                <span className="font-medium tabular-nums">{numberOf(counts, verdict)}</span>
              </li>
            ))}
          </ul>
        )}
        <Markers counts={counts} />
        <p className="text-muted text-xs leading-5 empty:hidden">
          {Object.entries(METHOD_LIMITS).find(([name]) => name === method)?.[1]}
        </p>
      </div>
    </Section>
  );
}

function Markers({ counts }: { counts: NonNullable<Counts> }) {
  const facts = listMarkerFacts(counts);
  return (
    facts.length > 0 && (
      <ul className="grid gap-1 text-xs">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    )
  );
}

function numberOf(counts: NonNullable<Counts>, name: string): number {
  return typeof counts[name] === "number" ? counts[name] : 0;
}

/** What each warning means. A request with a warning was still answered. */
const WARNINGS: Record<string, string> = {
  retrieval_unavailable: "Retrieval couldn’t run, so the answer has no sources.",
  verification_unavailable: "The verification model was unavailable, so rules checked some claims.",
  insufficient_scope: "The key can’t read the requested sources, so the answer has none.",
  invalid_request: "The search request was invalid.",
  tool_left_out: "The model wasn’t offered a tool in the request.",
  item_left_out: "The model didn’t see a call that another server’s tool made.",
  field_left_out: "The model didn’t get a field of the request.",
  field_unknown: "A field looked like citations and turned no search on.",
  json_not_cited: "The answer isn’t the JSON that was asked for, so it wasn’t checked.",
  json_unchanged: "The answer is JSON, so options that change its text had no effect.",
};

export function Warnings({ codes }: { codes: readonly string[] }) {
  return (
    codes.length > 0 && (
      <Section title="Warnings">
        <ul className="grid gap-2 rounded-lg bg-warning-soft px-4 py-3">
          {[...new Set(codes)].map((code) => (
            <li key={code} className="flex gap-2.5">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
              <span className="min-w-0">
                <code className="break-all font-medium font-mono text-xs">{code}</code>
                {WARNINGS[code] && <span className="block">{WARNINGS[code]}</span>}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    )
  );
}

interface SourcesUsedProps {
  request: RequestRecord;
  passages: ShownPassages;
}

/** The passages given to the model, with their text if it is still there. */
export function SourcesUsed({ request: { sources, passages: found }, passages }: SourcesUsedProps) {
  if (found === null) {
    return null;
  }
  return (
    <Section title="Passages">
      {sources.length > 0 ? (
        <ol className="divide-y rounded-lg border bg-surface">
          {sources.map((source) => (
            <Source
              key={source.id}
              source={source}
              passage={passages.get(source.chunk_id ?? "") ?? null}
            />
          ))}
        </ol>
      ) : (
        <p className="rounded-lg border bg-surface p-4 text-muted">
          {found === 0
            ? "The answer has no sources."
            : `Retrieval found ${found === 1 ? "1 passage" : `${found} passages`}. Details weren’t recorded.`}
        </p>
      )}
    </Section>
  );
}

interface SourceProps {
  source: SourceUsed;
  /** Null if it was replaced or deleted since. */
  passage: ShownPassage | null;
}

function Source({ source, passage }: SourceProps) {
  const scope = (KNOWLEDGE_LABELS as Record<string, { name: string }>)[source.scope];
  const facts = [
    scope?.name ?? source.scope,
    `Similarity ${formatSimilarity(source.similarity)}`,
    passage?.place,
  ];
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <span className="mt-px w-6 shrink-0 font-mono text-accent text-xs leading-5">
        [{source.id}]
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <SourceName source={source} href={passage?.href} />
        <p className="break-words text-muted text-xs">{facts.filter(Boolean).join(" · ")}</p>
        {passage && (
          <details className="mt-0.5">
            <summary className="line-clamp-2 cursor-pointer list-none whitespace-pre-line break-words rounded-sm [[open]>&]:line-clamp-none">
              {unbroken(withBullets(withColumnNames(passage.text)))}
            </summary>
          </details>
        )}
      </div>
      <Badge tone={source.cited ? "accent" : "neutral"}>
        {source.cited ? "Cited" : "Not cited"}
      </Badge>
    </li>
  );
}

interface SourceNameProps {
  source: SourceUsed;
  /** The passage's place in the document. */
  href: string | undefined;
}

function SourceName({ source: { state, title, document_id }, href }: SourceNameProps) {
  if (state === "visible" && document_id) {
    return (
      <Link
        href={href ?? `/documents/${document_id}`}
        prefetch={false}
        className="block break-words rounded-sm font-medium underline-offset-4 hover:underline"
      >
        {title}
      </Link>
    );
  }
  return (
    <span className="block text-muted">
      {state === "personal" ? "A personal document" : "A deleted document"}
    </span>
  );
}
