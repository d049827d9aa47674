import type { CitedSpan } from "@/lib/evidence/claims/spans";
import { type ClaimJudgement, judgedOf, VERDICT_RANKS } from "@/lib/evidence/verdict/rules-judge";

export interface JudgedSpan {
  span: CitedSpan;
  judgement: ClaimJudgement | null;
}

/** Whether a sentence repeats words of the question. */
export function isQuoted(sentence: string, question: string): boolean {
  const [words, asked] = [sentence, question].map((text) =>
    text.toLowerCase().replace(/[\s.!?…]+/g, " "),
  );
  return asked?.includes(words?.trim() ?? "") ?? false;
}

/**
 * Sorts claims by their markers, each with its own claim first. A covered sentence cites the one of its sources that says
 * most of it, and stays uncited if none says anything of it or, when markers are stripped, if that one denies it.
 */
export function resolveCovered(judged: readonly JudgedSpan[], strips = false): JudgedSpan[] {
  const startOf = ({ span }: JudgedSpan) => span.markers[0]?.start ?? 0;
  return judged
    .flatMap((one) => (one.span.isExtended ? extend(one, strips) : [one]))
    .toSorted((one, other) => startOf(one) - startOf(other));
}

function extend({ span, judgement }: JudgedSpan, strips: boolean): JudgedSpan[] {
  const [best] = [...(judgement?.bySource ?? [])].toSorted(
    ([, one], [, other]) =>
      VERDICT_RANKS[other.verdict] - VERDICT_RANKS[one.verdict] || other.score - one.score,
  );
  if (!best) {
    return [];
  }
  const [id, found] = best;
  const isSaid = found.verdict === "supported" || found.verdict === "partial";
  const isDenied = found.verdict === "contradicted" || found.reason === "subject";
  const markers = span.markers.filter((marker) => marker.id === id).slice(0, 1);
  const alone = { combined: judgedOf(found), bySource: new Map([best]) };
  return isSaid || (isDenied && !strips)
    ? [{ span: { ...span, ids: [id], markers }, judgement: alone }]
    : [];
}
