import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { numberKey } from "./analyze-passage";
import { sentencesAboutTitle } from "./anaphora";
import { bestWindows, type ClaimTerm, isClose, sharedWeight, type Window } from "./coverage";
import { type PolarityConflict, polarityConflict } from "./polarity";
import { isAmong } from "./quantity-check";
import { isAboutBoth } from "./table-rows";
import { exchangesAround, exchangesParts } from "./word-order";
import type { ContentTerm } from "./words";

/** A contradicting window only wins if no other covers nearly as much. */
const CONFLICT_DISCOUNT = 0.05;
/** Prefers sentences with the claim's numbers over slightly better word coverage. */
const NUMBER_BONUS = 0.08;
/** Prefers findings over statements of a study's aim. */
const AIM_DISCOUNT = 0.15;
/** From this overlap on, the claim repeats the sentence and must repeat its negations. */
const VERBATIM = 0.8;

/** The sentences that say most of a claim, ranked down if they conflict with it; null if none has a word of it. */
export function findEvidence(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  terms: readonly ClaimTerm[],
): Evidence | null {
  const [best] = bestWindows(terms, bonusesOf(claim, analyzed), joinsOf(claim, analyzed))
    .map((window) => assess(claim, analyzed, window))
    .sort((one, other) => other.rank - one.rank);
  return best ?? null;
}

/** Whether two sentences may support a claim together: rows of a table only if it is about both. */
function joinsOf(claim: SentenceAnalysis, { analyses, rowSentences }: AnalyzedPassage) {
  return (first: number, second: number): boolean => {
    const [a, b] = [rowSentences[first], rowSentences[second]];
    const [one, other] = [analyses[first], analyses[second]];
    const areRows = a && b && one && other && a.number !== b.number;
    return !areRows || isAboutBoth(claim, [one, other], [a.subject, b.subject]);
  };
}

/** Ranks sentences up for the claim's numbers and down for asserting nothing. */
function bonusesOf(
  claim: SentenceAnalysis,
  { analyses, sentencesByNumber }: AnalyzedPassage,
): (sentence: number) => number {
  const matches = new Map<number, number>();
  for (const number of new Set(claim.quantities.map(numberKey))) {
    for (const sentence of sentencesByNumber.get(number) ?? []) {
      matches.set(sentence, (matches.get(sentence) ?? 0) + 1);
    }
  }
  return (sentence) => {
    const discount = analyses[sentence]?.isAim && !claim.isAim ? AIM_DISCOUNT : 0;
    return NUMBER_BONUS * (matches.get(sentence) ?? 0) - discount;
  };
}

export interface Evidence extends Window {
  analyses: readonly SentenceAnalysis[];
  /** The sentences that the claim repeats almost entirely, and that repeat almost all of it. */
  repeated: readonly SentenceAnalysis[];
  conflict: PolarityConflict | "roles" | null;
  /** Whether the window only states an aim while the claim asserts something. */
  isAim: boolean;
  rank: number;
}

function assess(claim: SentenceAnalysis, analyzed: AnalyzedPassage, window: Window): Evidence {
  const analyses = window.sentences.flatMap((sentence) => analyzed.analyses[sentence] ?? []);
  const repeated = repeatedOf(claim, analyzed, window);
  const conflict = conflictOf(claim, analyses, repeated);
  const isAim = !claim.isAim && analyses.some((analysis) => analysis.isAim);
  const matches = claim.quantities.filter((quantity) => isAmong(analyses, quantity));
  const rank =
    window.coverage +
    NUMBER_BONUS * matches.length -
    (conflict ? CONFLICT_DISCOUNT : 0) -
    (isAim ? AIM_DISCOUNT : 0);
  return { ...window, analyses, repeated, conflict, isAim, rank };
}

/** How sentences say otherwise than a claim that is about the same; it must keep the polarity of the `repeated` ones exactly. */
export function conflictOf(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
  repeated: readonly SentenceAnalysis[],
): Evidence["conflict"] {
  const polarity = polarityConflict(claim, analyses, repeated);
  if (polarity === "negation") {
    return polarity;
  }
  const close = analyses.filter((sentence) => isClose(claim, sentence));
  const isExchanged =
    close.some((sentence) => exchangesParts(claim, sentence)) || exchangesAround(claim, repeated);
  if (polarity === "direction") {
    // "Lower in A than in B" is "higher in B than in A".
    return isExchanged && COMPARES.test(claim.tokens.map(({ lower }) => lower).join(" "))
      ? null
      : polarity;
  }
  return isExchanged ? "roles" : null;
}

const COMPARES = /(?<! rather) than /;

function repeatedOf(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  { sentences }: Window,
): SentenceAnalysis[] {
  const aboutTitle = sentencesAboutTitle(analyzed);
  const title = analyzed.label.analysis.terms;
  const repeated: SentenceAnalysis[] = [];
  const said: ContentTerm[] = [];
  for (const sentence of sentences) {
    const analysis = analyzed.analyses[sentence];
    if (analysis && sharedWeight(analysis.terms, claim.terms) >= VERBATIM) {
      repeated.push(analysis);
      said.push(...analysis.terms, ...(aboutTitle.has(sentence) ? title : []));
    }
  }
  return repeated.length > 0 && sharedWeight(claim.terms, said) >= VERBATIM ? repeated : [];
}
