import { VERDICT_LABELS, VERDICTS } from "@/components/citations/labels";
import { formatUsd } from "@/components/ui/usd";
import type { Run } from "./conversation";
import { formatDuration, formatTokens } from "./labels";
import type { RequestBody } from "./settings";

/** A line of a comparison: the same fact of both runs. */
export interface ComparedFact {
  name: string;
  /** Whether `name` is a field of the API. */
  isField: boolean;
  main: string;
  rival: string;
}

/** What differs between two requests, and how their answers did. A fact that neither has is left out. */
export function compareRuns(main: Run, rival: Run): ComparedFact[] {
  const [left, right] = [fieldsOf(main.request), fieldsOf(rival.request)];
  const fields = [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((name) => left[name] !== right[name])
    .map((name) => ({
      name,
      isField: true,
      main: left[name] ?? "default",
      rival: right[name] ?? "default",
    }));
  const [a, b] = [resultsOf(main), resultsOf(rival)];
  const results = Object.keys(a)
    .filter((name) => a[name] || b[name])
    .map((name) => ({ name, isField: false, main: a[name] ?? "–", rival: b[name] ?? "–" }));
  return [...fields, ...results];
}

/** A request's settings as text, each under its name. The conversation before may differ, and isn't one of them. */
function fieldsOf({ messages, citations, stream_options: _, ...rest }: RequestBody) {
  const system = messages.find(({ role }) => role === "system")?.content;
  const all = { ...rest, ...(system && { system }), ...(citations ?? { enabled: false }) };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]): [string, string | undefined] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

function resultsOf({ answer, state }: Run): Record<string, string | undefined> {
  const { verification, usage, citations, firstTokenMs, totalMs } = answer;
  const verdicts = VERDICTS.filter((verdict) => (verification?.[verdict] ?? 0) > 0).map(
    (verdict) => `${verification?.[verdict]} ${VERDICT_LABELS[verdict].name.toLowerCase()}`,
  );
  return {
    "Answers the question": verification && ANSWERED[verification.answered],
    Verdicts: verdicts.join(", ") || undefined,
    "Sentences cited": verification && `${verification.cited} of ${verification.sentences}`,
    "Sources found": citations && `${citations.length}`,
    Cost: usage?.cost_usd && formatUsd(usage.cost_usd),
    Tokens: usage && formatTokens(usage),
    "First token": firstTokenMs === undefined ? undefined : formatDuration(firstTokenMs),
    Total: totalMs === undefined || state === "failed" ? undefined : formatDuration(totalMs),
  };
}

const ANSWERED = { yes: "Yes", partly: "Partly", no: "No", unknown: "Unknown" };
