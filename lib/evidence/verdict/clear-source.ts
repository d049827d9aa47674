import { yieldIfLong } from "@/lib/event-loop";
import { type AnalyzedPassage, analyzeClaim } from "./analyze-passage";
import { claimTermsOf, weightOfTerms } from "./coverage";
import { findEvidence } from "./evidence";
import { type Quote, quoteOf } from "./quotes";
import type { RulesJudge } from "./rules-judge";

/** The share of a sentence's words that a source and its title must have. */
const MIN_OVERLAP = 0.45;
/** The weight of the words that a sentence must have: one that says less may be from anywhere. */
const MIN_WEIGHT = 2;
/** The sources that overlap most and are judged. */
const JUDGED = 3;

/**
 * The number of the source that a sentence without a marker is from: of those that have its words, one that supports it,
 * otherwise the one that has most of them, so that a changed number is judged too. Null if none has.
 */
export async function findClearSource(
  sentence: string,
  rules: RulesJudge,
  minWeight = MIN_WEIGHT,
): Promise<number | null> {
  const found: { id: number; overlap: number }[] = [];
  for (let id = 1; id <= rules.sourceCount; id += 1) {
    await yieldIfLong();
    const { weight, overlap } = compare(sentence, rules.analyze([id]));
    if (weight >= minWeight && overlap >= MIN_OVERLAP) {
      found.push({ id, overlap });
    }
  }
  const closest = found.toSorted((a, b) => b.overlap - a.overlap || a.id - b.id).slice(0, JUDGED);
  for (const { id } of closest) {
    const { combined } = await rules.judge({ text: sentence, ids: [id] });
    if (combined.verdict === "supported") {
      return id;
    }
  }
  return closest[0]?.id ?? null;
}

/** Whether a source or its title has one of the words of a text. */
export function hasWord(passage: AnalyzedPassage, text: string): boolean {
  return compare(text, passage).overlap > 0;
}

function compare(sentence: string, { label, sentencesByKey, rules }: AnalyzedPassage) {
  const { terms } = analyzeClaim(sentence, rules);
  const weight = weightOfTerms(terms);
  const inLabel = new Set(label.analysis.terms.flatMap(({ keys }) => keys));
  const shared = terms.filter(({ keys }) =>
    keys.some((key) => sentencesByKey.has(key) || inLabel.has(key)),
  );
  return { weight, overlap: weight > 0 ? weightOfTerms(shared) / weight : 0 };
}

/** The words of a passage that say most of a claim, however little that is; null if it has none of the claim's words. */
export function closestQuote(claim: string, analyzed: AnalyzedPassage): Quote | null {
  const analysis = analyzeClaim(claim, analyzed.rules);
  const evidence = findEvidence(analysis, analyzed, claimTermsOf(analysis, analyzed));
  return evidence && quoteOf(analysis, analyzed, { sentences: evidence.sentences, mayJoin: true });
}
