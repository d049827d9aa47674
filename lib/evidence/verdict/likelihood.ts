import { countDistant, relationsOf } from "./agreement";
import { alignmentOf } from "./alignment";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { weightOfTerms } from "./coverage";
import weights from "./likelihood-weights.json" with { type: "json" };
import { polarityConflict } from "./polarity";
import { hasUnsaidPredicate } from "./predicates";

/** Counts more than this tell nothing more. */
const MAX_COUNTED = 3;
/** From this share of a claim's weight on, a sentence or the title is about the same. */
const ABOUT = { sentence: 0.35, title: 0.4 };

/** What is known of a claim in other words, and of the passage that seems to support it. */
export interface LikelihoodFeatures {
  /** Share of the claim's words that the passage or its title has, as the same words. */
  same_words: number;
  /** Relations that neither has in the same word. */
  reworded_relations: number;
  /** Relations that aren't between the same things; 2 at most. */
  distant_relations: number;
  /** Sentences about the claim's things that deny it or go the other way; 3 at most. */
  conflicting_sentences: number;
  /** The claim compares: 0 or 1. */
  comparison: number;
  /** Neither has a word for what the claim says of its subject: 0 or 1. */
  unsaid_predicate: number;
}

/**
 * Whether a claim that rules let pass is likely enough to be supported. The weights are a logistic regression on claims
 * that experts judged, by `npm run bench -- verdict-weights`.
 */
export function isLikely(features: LikelihoodFeatures): boolean {
  return likelihoodOf(features) >= weights.supported_from;
}

/** From 0 to 1. */
function likelihoodOf(features: LikelihoodFeatures): number {
  const names = Object.keys(features) as (keyof LikelihoodFeatures)[];
  const sum = names.reduce((all, name) => all + weights[name] * features[name], weights.intercept);
  return 1 / (1 + Math.exp(-sum));
}

export function likelihoodFeatures(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  evidence: readonly SentenceAnalysis[],
): LikelihoodFeatures {
  const { terms } = claim;
  const isSameWord = sameWordIn(analyzed);
  const same = terms.filter(({ stem }) => isSameWord(stem)).length;
  const reworded = relationsOf(claim).filter((index) => !isSameWord(terms[index]?.stem ?? ""));
  const alignments = evidence.map((sentence) => alignmentOf(claim, sentence));
  const shares = sharesOf(claim, analyzed);
  const conflicting = analyzed.analyses.filter(
    (sentence, at) =>
      (shares[at] ?? 0) >= ABOUT.sentence && polarityConflict(claim, [sentence], []) !== null,
  );
  return {
    same_words: terms.length > 0 ? same / terms.length : 1,
    reworded_relations: reworded.length,
    distant_relations: Math.min(2, countDistant(claim, alignments)),
    conflicting_sentences: Math.min(MAX_COUNTED, conflicting.length),
    comparison: Number(claim.tokens.some(({ lower }) => /^(?:than|compared)$/.test(lower))),
    unsaid_predicate: Number(hasUnsaidPredicate(claim, analyzed)),
  };
}

/** Whether the title denies the claim or goes the other way. */
export function titleConflicts(claim: SentenceAnalysis, { label }: AnalyzedPassage): boolean {
  const title = label.analysis;
  const [shared = 0] = sharesOf(claim, {
    analyses: [title],
    sentencesByKey: new Map(title.terms.flatMap(({ keys }) => keys.map((key) => [key, [0]]))),
  });
  return shared >= ABOUT.title && polarityConflict(claim, [title], []) !== null;
}

function sameWordIn({ sentencesByKey, label }: AnalyzedPassage): (stem: string) => boolean {
  const inTitle = new Set(label.analysis.terms.map(({ stem }) => stem));
  return (stem) => sentencesByKey.has(`=${stem}`) || inTitle.has(stem);
}

/** The share of the claim's weight that each sentence has. */
function sharesOf(
  { terms }: SentenceAnalysis,
  { analyses, sentencesByKey }: Pick<AnalyzedPassage, "analyses" | "sentencesByKey">,
): number[] {
  const shared = analyses.map(() => 0);
  // Once for each word, however often a long claim repeats it.
  for (const same of Map.groupBy(terms, ({ keys }) => keys.join(" ")).values()) {
    const keys = same[0]?.keys.filter((key) => !key.startsWith("^")) ?? [];
    const weight = weightOfTerms(same);
    for (const at of new Set(keys.flatMap((key) => sentencesByKey.get(key) ?? []))) {
      shared[at] = (shared[at] ?? 0) + weight;
    }
  }
  const all = weightOfTerms(terms);
  return shared.map((weight) => (all > 0 ? weight / all : 0));
}
