import { type AnalyzedPassage, analyzeClaim } from "./analyze-passage";
import { claimTermsOf } from "./coverage";
import { findEvidence } from "./evidence";
import { type Quote, quoteOf } from "./quotes";

/** The words of a passage that say most of a claim, however little that is; null if it has none of the claim's words. */
export function closestQuote(claim: string, analyzed: AnalyzedPassage): Quote | null {
  const analysis = analyzeClaim(claim, analyzed.rules);
  const evidence = findEvidence(analysis, analyzed, claimTermsOf(analysis, analyzed));
  return evidence && quoteOf(analysis, analyzed, { sentences: evidence.sentences, mayJoin: true });
}
