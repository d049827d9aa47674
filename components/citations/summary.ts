import type { Verification } from "@/lib/answers/citations/schema";
import type { Verdict } from "@/lib/evidence/verdict/judged";

export interface Summary {
  /** What the reader should know first. */
  lead: string;
  /** Further sentences. */
  rest: string[];
  /** The most serious verdict; null when nothing was judged, or when correct quotes answer another question. */
  worst: Verdict | null;
}

/** An answer's verification in plain words. */
export function summarize(verification: Verification): Summary {
  const { answered, sentences, cited, method } = verification;
  const addressed = formatAnswered(verification);
  const judged = method === "off" || cited === 0 ? null : worstVerdict(verification);
  const isUnanswered = answered === "no" && judged !== "contradicted";
  const [lead = "This answer has no sentences to check.", ...rest] = [
    // Being answered the wrong question matters more than being quoted correctly.
    isUnanswered && addressed,
    judged && formatVerdict(judged, verification),
    method === "off" && "Claims weren’t checked against their sources.",
    cited === 0 && sentences > 0 && answered !== "no" && "No sentence cites a source.",
    !isUnanswered && addressed,
    cited > 0 && !isUnanswered && formatUncited(sentences - cited),
  ].filter((sentence) => typeof sentence === "string");
  return { lead, rest, worst: isUnanswered && judged === "supported" ? null : judged };
}

/** Whether the answer addresses its question; null when the rules can't tell. */
export const ANSWERED_LABELS: Record<Verification["answered"], string | null> = {
  yes: "The question is answered.",
  partly: "The question is answered in part.",
  no: "No cited sentence answers the question.",
  unknown: null,
};

function formatAnswered({ answered, abstained, cited }: Verification): string | null {
  return abstained && cited === 0
    ? "The answer says that its sources don’t answer the question."
    : ANSWERED_LABELS[answered];
}

function worstVerdict(verification: Verification): Verdict {
  const order = ["contradicted", "unsupported", "partial", "unjudged"] as const;
  return order.find((verdict) => (verification[verdict] ?? 0) > 0) ?? "supported";
}

const FINDINGS: Record<Exclude<Verdict, "supported">, readonly [one: string, many: string]> = {
  contradicted: ["may contradict its source", "may contradict their sources"],
  unsupported: ["isn’t supported by its source", "aren’t supported by their sources"],
  partial: ["is only partly supported by its source", "are only partly supported by their sources"],
  unjudged: ["couldn’t be checked", "couldn’t be checked"],
};

function formatVerdict(verdict: Verdict, { cited, ...counts }: Verification): string {
  if (verdict === "supported") {
    return cited === 1
      ? "The cited sentence is supported by its source."
      : `${cited === 2 ? "Both" : `All ${cited}`} cited sentences are supported by their sources.`;
  }
  const count = counts[verdict] ?? 0;
  const [one, many] = FINDINGS[verdict];
  return cited === 1
    ? `The cited sentence ${one}.`
    : `${count} of ${cited} cited sentences ${count === 1 ? one : many}.`;
}

function formatUncited(count: number): string | null {
  if (count <= 0) {
    return null;
  }
  return count === 1 ? "1 sentence cites no source." : `${count} sentences cite no source.`;
}
