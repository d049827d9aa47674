import type { Judged, Verdict } from "../schema";
import {
  type AnalyzedPassage,
  analyzeClaim,
  analyzePassage,
  numberKey,
  withAbbreviations,
} from "./analyze-passage";
import { directionKey, type SentenceAnalysis } from "./analyze-sentence";
import { bestWindows, type ClaimTerm, claimTermsOf, type Window } from "./coverage";
import { type PolarityConflict, polarityConflict } from "./polarity";
import { countMatches, isEqual, mismatchesOf, type QuantityMismatch } from "./quantity-check";
import { type Quote, quoteOf } from "./quotes";
import type { ContentTerm } from "./words";

type Reason =
  | "number"
  | "unit"
  | "comparator"
  | "negation"
  | "direction"
  | "missing_terms"
  | "not_asserted"
  | "empty";

export interface Judgement extends Judged {
  /** The evidence for the verdict; null when it is `unsupported`. */
  quote: Quote | null;
}

/** Minimum covered share of a claim's weight for each verdict. */
const THRESHOLDS = { supported: 0.72, partial: 0.46, contradicted: 0.55 };
/** A contradicting window only wins if no other covers nearly as much. */
const CONFLICT_DISCOUNT = 0.05;
/** Prefers sentences with the claim's numbers over slightly better word coverage. */
const NUMBER_BONUS = 0.08;
/** Prefers findings over statements of a study's aim. */
const AIM_DISCOUNT = 0.15;
/** From this overlap on, the claim repeats the sentence and must repeat its negations. */
const VERBATIM = 0.8;

/** Judges a claim against a passage. To judge several claims, analyze the passage once. */
export function judge(claim: string, passage: string): Judgement {
  return judgeAnalyzed(claim, analyzePassage(passage));
}

export function judgeAnalyzed(claim: string, analyzed: AnalyzedPassage): Judgement {
  const analysis = withAbbreviations(analyzeClaim(claim), analyzed.abbreviations);
  const terms = [...claimTermsOf(analysis, analyzed), ...numberTerms(analysis, analyzed)];
  if (terms.length === 0) {
    return unsupported("empty");
  }
  const windows = bestWindows(terms, bonusesOf(analysis, analyzed));
  const best = windows
    .map((window) => assess(analysis, analyzed, window))
    .reduce<Assessment | null>((one, other) => (one && one.rank >= other.rank ? one : other), null);
  return best ? decide(analysis, analyzed, best) : unsupported("missing_terms");
}

function unsupported(reason: Reason): Judgement {
  return { verdict: "unsupported", score: 0, method: "rules", reason, quote: null };
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

/** Claims with hardly any words, like "5 mg twice daily", are located by their numbers. */
function numberTerms(claim: SentenceAnalysis, { analyses }: AnalyzedPassage): ClaimTerm[] {
  if (!hasFewWords(claim)) {
    return [];
  }
  return claim.quantities.slice(0, MAX_NUMBERS).map((quantity) => ({
    weight: 1,
    strengths: new Map(
      analyses.flatMap((analysis, sentence): [number, number][] =>
        analysis.quantities.some((other) => isEqual(quantity, other)) ? [[sentence, 1]] : [],
      ),
    ),
  }));
}

const MIN_WORD_WEIGHT = 1;

function hasFewWords({ terms }: SentenceAnalysis): boolean {
  return terms.reduce((sum, { word }) => sum + word.weight, 0) < MIN_WORD_WEIGHT;
}

const MAX_NUMBERS = 8;

interface Assessment {
  window: Window;
  conflict: PolarityConflict | null;
  /** Whether the window only states an aim while the claim asserts something. */
  isAim: boolean;
  rank: number;
}

function assess(claim: SentenceAnalysis, analyzed: AnalyzedPassage, window: Window): Assessment {
  const analyses = analysesIn(analyzed, window);
  const conflict = polarityConflict(claim, analyses, repeatedOf(claim, analyses));
  const isAim = !claim.isAim && analyses.some((analysis) => analysis.isAim);
  const numbers = countMatches(claim, analyses);
  return {
    window,
    conflict,
    isAim,
    rank:
      window.coverage +
      NUMBER_BONUS * numbers -
      (conflict ? CONFLICT_DISCOUNT : 0) -
      (isAim ? AIM_DISCOUNT : 0),
  };
}

function analysesIn({ analyses }: AnalyzedPassage, { sentences }: Window): SentenceAnalysis[] {
  return sentences.flatMap((sentence) => analyses[sentence] ?? []);
}

/** The sentences that the claim repeats almost entirely, and that repeat almost all of it. */
function repeatedOf(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
): SentenceAnalysis[] {
  const repeated = analyses.filter(
    (analysis) => sharedWeight(analysis.terms, claim.terms) >= VERBATIM,
  );
  const said = repeated.flatMap(({ terms }) => terms);
  return repeated.length > 0 && sharedWeight(claim.terms, said) >= VERBATIM ? repeated : [];
}

/** The share of the first terms' weight that the others cover, counting opposites. */
function sharedWeight(terms: readonly ContentTerm[], others: readonly ContentTerm[]): number {
  const said = new Set(others.flatMap(({ keys }) => keys));
  let [all, shared] = [0, 0];
  for (const { word, keys, direction } of terms) {
    const { weight } = word;
    const isOpposite = direction && said.has(directionKey(direction.axis, -direction.sign));
    all += weight;
    shared += isOpposite || keys.some((key) => said.has(key)) ? weight : 0;
  }
  return all > 0 ? shared / all : 0;
}

function decide(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  assessment: Assessment,
): Judgement {
  const { sentences } = assessment.window;
  const analyses = analysesIn(analyzed, assessment.window);
  const mismatches = worstMismatches(claim, analyses);
  const verdict = verdictOf(
    assessment,
    mismatches,
    hasFewWords(claim) ? THRESHOLDS.partial : THRESHOLDS.contradicted,
  );
  return {
    verdict,
    score: scoreOf(assessment, mismatches, claim),
    method: "rules",
    reason: verdict === "supported" ? null : reasonOf(assessment, mismatches),
    // For partial support, a second sentence adds little to the quote.
    quote:
      verdict === "unsupported"
        ? null
        : quoteOf(claim, analyzed, { sentences, mayJoin: verdict !== "partial" }),
  };
}

/** When the claim repeats a sentence, numbers from a neighboring sentence don't count. */
function worstMismatches(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
): QuantityMismatch[] {
  const repeated = repeatedOf(claim, analyses);
  const own = repeated.length > 0 ? mismatchesOf(claim, repeated, true) : [];
  return own.some(({ isContradiction }) => isContradiction)
    ? own
    : mismatchesOf(claim, analyses, false);
}

function verdictOf(
  { window, conflict, isAim }: Assessment,
  mismatches: readonly QuantityMismatch[],
  contradictedThreshold: number,
): Verdict {
  const { coverage } = window;
  if (coverage < THRESHOLDS.partial) {
    return "unsupported";
  }
  const isContradicted =
    !isAim && (conflict !== null || mismatches.some(({ isContradiction }) => isContradiction));
  if (isContradicted && coverage >= contradictedThreshold) {
    return "contradicted";
  }
  const isWhole =
    coverage >= THRESHOLDS.supported && !isContradicted && !isAim && mismatches.length === 0;
  return isWhole ? "supported" : "partial";
}

function reasonOf(
  { conflict, window, isAim }: Assessment,
  mismatches: readonly QuantityMismatch[],
): Reason {
  const worst = mismatches.find(({ isContradiction }) => isContradiction) ?? mismatches[0];
  return window.coverage < THRESHOLDS.partial
    ? "missing_terms"
    : (conflict ?? worst?.reason ?? (isAim ? "not_asserted" : "missing_terms"));
}

/** Word coverage times number agreement, and close to 0 when contradicted. */
function scoreOf(
  assessment: Assessment,
  mismatches: readonly QuantityMismatch[],
  claim: SentenceAnalysis,
): number {
  const numbers = claim.quantities.length;
  const said = numbers === 0 ? 1 : 1 - Math.min(mismatches.length, numbers) / (2 * numbers);
  const isContradicted =
    assessment.conflict !== null || mismatches.some(({ isContradiction }) => isContradiction);
  const score = Math.min(1, assessment.window.coverage) * said * (isContradicted ? 0.2 : 1);
  return Math.round(score * 1e4) / 1e4;
}
