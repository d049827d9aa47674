import {
  formatCount,
  METHOD_LIMITS,
  VERDICT_LABELS,
  VERDICTS,
} from "@/components/citations/labels";
import { VerdictMark } from "@/components/citations/verdict-mark";
import type { RequestRecord } from "@/lib/usage/schema";
import { Section } from "./section";

type Counts = RequestRecord["details"]["verification"];

const SENTENCES = ["sentence", "sentences"] as const;
const MARKERS = ["citation", "citations"] as const;

/** What the check of the answer counted; its text is not needed for that. */
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
            : `${numberOf(counts, "cited")} of ${formatCount(numberOf(counts, "sentences"), SENTENCES)} cited`}
        </p>
        {method !== "off" && (
          <ul aria-label="Verdicts" className="flex flex-wrap gap-x-5 gap-y-1.5">
            {VERDICTS.map((verdict) => (
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
          {isMethod(method) && METHOD_LIMITS[method]}
        </p>
      </div>
    </Section>
  );
}

function Markers({ counts }: { counts: NonNullable<Counts> }) {
  const facts = [
    ["dropped_markers", "to sources that don’t exist: removed."],
    ["repaired_markers", "in a nonstandard format: normalized."],
    ["stripped_markers", "not supported by their source: removed."],
  ].flatMap(([name = "", words]) => {
    const count = numberOf(counts, name);
    return count > 0 ? [`${formatCount(count, MARKERS)} ${words}`] : [];
  });
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

function isMethod(method: unknown): method is keyof typeof METHOD_LIMITS {
  return typeof method === "string" && Object.hasOwn(METHOD_LIMITS, method);
}
