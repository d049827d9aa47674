import { reverses } from "./agreement";
import { alignmentOf } from "./alignment";
import type { SentenceAnalysis } from "./analyze-passage";
import { directionMargin } from "./direction-margin";
import type { PolarityConflict } from "./polarity";

interface Opposition {
  conflict: PolarityConflict;
  /** The sentences that conflict with the claim, and all of the passage. */
  evidence: readonly SentenceAnalysis[];
  passage: readonly SentenceAnalysis[];
  /** How much of the claim the evidence covers, from 0 to 1. */
  coverage: number;
}

/** How much better the passage must connect the opposite direction to the claim's words than the claim's own. */
const MIN_MARGIN = 0.2;

/** From this coverage on, the evidence has all of the claim's words, so that it denies just that. */
const COMPLETE = 0.95;

/**
 * Whether sentences that conflict with a claim in other words say the opposite of it. A denial in the source alone is
 * often about another group, or about what was known before; so is an opposite direction, unless the passage as a whole
 * connects it better to the claim's words.
 */
export function opposes(claim: SentenceAnalysis, opposition: Opposition): boolean {
  const { conflict, evidence, passage, coverage } = opposition;
  if (reverses(claim, evidence) !== (conflict === "direction")) {
    return false;
  }
  if (conflict === "negation") {
    return coverage >= COMPLETE || claim.negations.some(({ isWeak }) => !isWeak);
  }
  const alignments = passage.map((sentence) => alignmentOf(claim, sentence));
  return directionMargin(claim, alignments) <= -MIN_MARGIN;
}
