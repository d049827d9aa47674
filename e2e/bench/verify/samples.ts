import { createHash } from "node:crypto";
import { agrees, mayAgree } from "@/lib/evidence/verdict/agreement";
import { alignmentOf } from "@/lib/evidence/verdict/alignment";
import {
  type AnalyzedPassage,
  analyzeClaim,
  analyzePassage,
  type SentenceAnalysis,
  withAbbreviations,
} from "@/lib/evidence/verdict/analyze-passage";
import { namesAlternative } from "@/lib/evidence/verdict/contrasts";
import { claimTermsOf } from "@/lib/evidence/verdict/coverage";
import { type Evidence, findEvidence } from "@/lib/evidence/verdict/evidence";
import { likelihoodFeatures, titleConflicts } from "@/lib/evidence/verdict/likelihood";
import { mismatchesOf } from "@/lib/evidence/verdict/quantity-check";
import { subjectConflict } from "@/lib/evidence/verdict/subject";
import contradictions from "./contradictions.json" with { type: "json" };
import type { Sample } from "./logistic";
import type { Pair } from "./pairs";

/** As in `judge.ts`. */
const MIN_COVERAGE = 0.55;
/**
 * The lists of directions were written with these claims in view. Taking a part of them away shows what claims look like
 * whose words the lists lack.
 */
const VARIANTS = 10;
const DROPPED = 0.4;
const VARIANT_WEIGHT = 0.3;
const MADE_UP_WEIGHT = 0.5;

/** Changes that turn a claim into one that its abstracts contradict: claim, first word, words taken away, words put there. */
const CHANGES = Map.groupBy(
  contradictions as [claim: string, at: number, removed: number, put: string][],
  ([claim]) => claim,
);

/**
 * The pairs in other words that nothing rules out, with all directions known and with a part of them unknown; of each
 * supported one also those with a made-up claim that contradicts the abstract.
 */
export function samplesOf(pairs: readonly Pair[]): Sample[] {
  const unique = [...new Map(pairs.map((pair) => [pair.id, pair])).values()];
  return [
    ...samplesOfPairs(pairs, false),
    ...samplesOfPairs(unique.flatMap(contradictionsOf), true),
  ];
}

function contradictionsOf(pair: Pair): Pair[] {
  const changes = pair.label === "support" ? (CHANGES.get(pair.id.split(" ")[0] ?? "") ?? []) : [];
  return changes.map(([, at, removed, put]) => ({
    ...pair,
    claim: pair.claim.split(" ").toSpliced(at, removed, put).join(" "),
    label: "contradict",
  }));
}

function samplesOfPairs(pairs: readonly Pair[], isMadeUp: boolean): Sample[] {
  return pairs.flatMap((pair) => {
    const passage = analyzePassage(pair.passage, pair.title);
    const claim = withAbbreviations(analyzeClaim(pair.claim), passage.abbreviations);
    return Array.from({ length: VARIANTS + 1 }, (_, variant) => {
      const changed = variant === 0 ? passage : passageWithout(passage, variant);
      const own = variant === 0 ? claim : sentenceWithout(claim, variant);
      return sampleOf(pair, own, changed, variant).map((sample) => ({
        ...sample,
        isMadeUp,
        weight: sample.weight * (isMadeUp ? MADE_UP_WEIGHT : 1),
      }));
    }).flat();
  });
}

function sampleOf(
  { id, label }: Pair,
  ...[claim, passage, variant]: [SentenceAnalysis, AnalyzedPassage, number]
): Omit<Sample, "isMadeUp">[] {
  const evidence = findEvidence(claim, passage, claimTermsOf(claim, passage));
  if (!evidence || isRuledOut(claim, passage, evidence)) {
    return [];
  }
  return [
    {
      group: id.split(" ")[0] ?? id,
      features: { ...likelihoodFeatures(claim, passage, evidence.analyses) },
      isSupport: label === "support",
      agrees: agrees(claim, evidence.analyses),
      isChanged: variant > 0,
      weight: variant > 0 ? VARIANT_WEIGHT : 1,
    },
  ];
}

function isRuledOut(
  claim: SentenceAnalysis,
  passage: AnalyzedPassage,
  evidence: Evidence,
): boolean {
  const { coverage, conflict, repeated, isAim, analyses } = evidence;
  const alignments = analyses.map((sentence) => alignmentOf(claim, sentence));
  return (
    coverage < MIN_COVERAGE ||
    conflict !== null ||
    repeated.length > 0 ||
    isAim ||
    titleConflicts(claim, passage) ||
    namesAlternative(claim, passage, evidence) ||
    mismatchesOf(claim, analyses, false).length > 0 ||
    subjectConflict(claim, passage, analyses) !== null ||
    !mayAgree(claim, analyses, alignments)
  );
}

function passageWithout(passage: AnalyzedPassage, variant: number): AnalyzedPassage {
  const analyses = passage.analyses.map((sentence) => sentenceWithout(sentence, variant));
  const sentencesByKey = new Map<string, number[]>();
  for (const [at, { terms }] of analyses.entries()) {
    for (const key of new Set(terms.flatMap(({ keys }) => keys))) {
      sentencesByKey.set(key, [...(sentencesByKey.get(key) ?? []), at]);
    }
  }
  const { text, analysis } = passage.label;
  const label = { text, analysis: sentenceWithout(analysis, variant) };
  return { ...passage, analyses, sentencesByKey, label };
}

function sentenceWithout(sentence: SentenceAnalysis, variant: number): SentenceAnalysis {
  const terms = sentence.terms.map((term) =>
    term.direction && isDropped(term.stem, variant)
      ? { ...term, direction: null, keys: term.keys.filter((key) => !key.startsWith("^")) }
      : term,
  );
  return { ...sentence, terms };
}

function isDropped(stem: string, variant: number): boolean {
  const [byte = 0] = createHash("sha256").update(`${variant} ${stem}`).digest();
  return byte < DROPPED * 256;
}
