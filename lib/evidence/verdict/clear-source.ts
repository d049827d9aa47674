import { yieldIfLong } from "@/lib/event-loop";
import { type AnalyzedPassage, analyzeClaim } from "./analyze-passage";
import { weightOfTerms } from "./coverage";
import type { RulesJudge } from "./rules-judge";

/** The share of a sentence's words that a source and its title must have. */
const MIN_OVERLAP = 0.45;
/** Sentences that say less may be from anywhere. */
const MIN_WEIGHT = 2;
/** The sources that overlap most and are judged. */
const JUDGED = 3;

/**
 * The number of the source that a sentence without a marker is from: of those that have its words, one that supports it,
 * otherwise the one that has most of them, so that a changed number is judged too. Null if none has.
 */
export async function findClearSource(
  sentence: string,
  sources: number,
  rules: RulesJudge,
): Promise<number | null> {
  const found: { id: number; overlap: number }[] = [];
  for (let id = 1; id <= sources; id += 1) {
    await yieldIfLong();
    const overlap = overlapWith(sentence, rules.analyze([id]));
    if (overlap >= MIN_OVERLAP) {
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

function overlapWith(sentence: string, { label, sentencesByKey, rules }: AnalyzedPassage): number {
  const { terms } = analyzeClaim(sentence, rules);
  const all = weightOfTerms(terms);
  const inLabel = new Set(label.analysis.terms.flatMap(({ keys }) => keys));
  const shared = terms.filter(({ keys }) =>
    keys.some((key) => sentencesByKey.has(key) || inLabel.has(key)),
  );
  return all < MIN_WEIGHT ? 0 : weightOfTerms(shared) / all;
}
