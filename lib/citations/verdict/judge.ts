import type { Judged, Verdict } from "../schema";
import { agrees, reverses } from "./agreement";
import {
  type AnalyzedPassage,
  analyzeClaim,
  analyzePassage,
  numberKey,
  type SentenceAnalysis,
  withAbbreviations,
} from "./analyze-passage";
import {
  hasNoEnglish,
  type KnownLanguage,
  languagesInCommon,
  type RulesLanguage,
  rulesLanguageOf,
} from "./claim-language";
import {
  bestWindows,
  type ClaimTerm,
  claimTermsOf,
  sharedWeight,
  type Window,
  weightOfTerms,
} from "./coverage";
import { type PolarityConflict, polarityConflict } from "./polarity";
import { isAmong, mismatchesOf, type QuantityMismatch } from "./quantity-check";
import { type Quote, quoteOf } from "./quotes";
import { exchangeOf } from "./roles";
import { type SubjectConflict, subjectConflict } from "./subject";

export interface Judgement extends Judged {
  /** The evidence for the verdict; null when it is `unsupported` or `unjudged`. */
  quote: Quote | null;
}

/** Minimum covered share of a claim's weight for each verdict; `reworded` if it repeats no sentence. */
const THRESHOLDS = { supported: 0.72, reworded: 0.55, partial: 0.46, contradicted: 0.55 };
/** A contradicting window only wins if no other covers nearly as much. */
const CONFLICT_DISCOUNT = 0.05;
/** Prefers sentences with the claim's numbers over slightly better word coverage. */
const NUMBER_BONUS = 0.08;
/** Prefers findings over statements of a study's aim. */
const AIM_DISCOUNT = 0.15;
/** From this overlap on, the claim repeats the sentence and must repeat its negations. */
const VERBATIM = 0.8;

/** Judges a claim against a passage. To judge several claims, analyze the passage once. */
export function judge(claim: string, passage: string, label = ""): Judgement {
  return judgeAnalyzed(claim, analyzePassage(passage, label));
}

/**
 * Unjudged when the rules don't know the claim's language, or the passage has another. `language` of the claim, if it is
 * known; otherwise its words tell.
 */
export function judgeAnalyzed(
  claim: string,
  analyzed: AnalyzedPassage,
  language: RulesLanguage = null,
): Judgement {
  const own = language ?? rulesLanguageOf(claim);
  const { passage, label } = analyzed;
  const [judged = UNJUDGED, other] = languagesInCommon(own, analyzed.language).map((rules) =>
    judgeIn(
      rules,
      claim,
      rules === analyzed.rules ? analyzed : analyzePassage(passage, label.text, rules),
    ),
  );
  if (other) {
    // A claim that repeats the passage was taken for another language's.
    const isRepeated = [judged, other].every(
      ({ verdict }) => verdict === "supported" || verdict === "contradicted",
    );
    return !isRepeated ? UNJUDGED : judged.verdict === "supported" ? other : judged;
  }
  const isUnread = own === null && judged.verdict === "unsupported" && hasNoEnglish(claim);
  return isUnread ? UNJUDGED : judged;
}

const UNJUDGED: Judgement = {
  verdict: "unjudged",
  score: 0,
  method: "rules",
  reason: "language",
  quote: null,
};

function judgeIn(rules: KnownLanguage, claim: string, analyzed: AnalyzedPassage): Judgement {
  const analysis = withAbbreviations(analyzeClaim(claim, rules), analyzed.abbreviations);
  const terms = [...claimTermsOf(analysis, analyzed), ...numberTerms(analysis, analyzed)];
  if (terms.length === 0) {
    return unsupported("empty");
  }
  const windows = bestWindows(terms, bonusesOf(analysis, analyzed));
  const [best] = windows
    .map((window) => assess(analysis, analyzed, window))
    .sort((one, other) => other.rank - one.rank);
  return best ? decide(analysis, analyzed, best) : unsupported("missing_terms");
}

function unsupported(reason: "empty" | "missing_terms"): Judgement {
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
      analyses.flatMap((one, at) => (isAmong([one], quantity) ? [[at, 1] as const] : [])),
    ),
  }));
}

const MIN_WORD_WEIGHT = 1;
const MAX_NUMBERS = 8;

function hasFewWords({ terms }: SentenceAnalysis): boolean {
  return weightOfTerms(terms) < MIN_WORD_WEIGHT;
}

interface Assessment extends Window {
  analyses: readonly SentenceAnalysis[];
  /** The sentences that the claim repeats almost entirely, and that repeat almost all of it. */
  repeated: readonly SentenceAnalysis[];
  conflict: PolarityConflict | "roles" | null;
  /** Whether the window only states an aim while the claim asserts something. */
  isAim: boolean;
  rank: number;
}

function assess(claim: SentenceAnalysis, analyzed: AnalyzedPassage, window: Window): Assessment {
  const analyses = window.sentences.flatMap((sentence) => analyzed.analyses[sentence] ?? []);
  const repeated = repeatedOf(claim, analyses);
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

function conflictOf(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
  repeated: readonly SentenceAnalysis[],
): Assessment["conflict"] {
  const polarity = polarityConflict(claim, analyses, repeated);
  if (polarity === "negation") {
    return polarity;
  }
  const exchange = exchangeOf(claim, analyses);
  if (polarity === "direction") {
    return exchange === "comparison" ? null : polarity;
  }
  return exchange && "roles";
}

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

function decide(claim: SentenceAnalysis, analyzed: AnalyzedPassage, best: Assessment): Judgement {
  const mismatches = worstMismatches(claim, best);
  const contradicting = mismatches.find(({ isContradiction }) => isContradiction);
  const isDoubted = best.conflict !== null || contradicting !== undefined;
  const isAbout = best.coverage >= THRESHOLDS.partial;
  const subject = isAbout ? subjectConflict(claim, analyzed, best.analyses) : null;
  const verdict = verdictOf(claim, best, {
    isDoubted,
    isOpposed: contradicting !== undefined || isOpposed(claim, best),
    isExact: mismatches.length === 0,
    subject,
  });
  const flaw = isAbout ? flawOf(best, subject, contradicting ?? mismatches[0]) : null;
  // For partial support, a second sentence adds little to the quote.
  const mayJoin = verdict !== "partial" || best.coverage >= THRESHOLDS.supported;
  const evidence = { sentences: best.sentences, mayJoin };
  return {
    verdict,
    score: scoreOf(claim, best.coverage, {
      isOpposed: isDoubted || subject === "replaced",
      mismatches: mismatches.length,
    }),
    method: "rules",
    reason: verdict === "supported" ? null : (flaw ?? "missing_terms"),
    quote: verdict === "unsupported" ? null : quoteOf(claim, analyzed, evidence),
  };
}

function flawOf(
  { conflict, isAim }: Assessment,
  subject: SubjectConflict | null,
  mismatch: QuantityMismatch | undefined,
): Judged["reason"] {
  const said = (subject ? "subject" : conflict) ?? mismatch?.reason;
  return said ?? (isAim ? "not_asserted" : null);
}

/** When the claim repeats a sentence, numbers from a neighboring sentence don't count. */
function worstMismatches(
  claim: SentenceAnalysis,
  { analyses, repeated }: Assessment,
): QuantityMismatch[] {
  const own = repeated.length > 0 ? mismatchesOf(claim, repeated, true) : [];
  return own.some(({ isContradiction }) => isContradiction)
    ? own
    : mismatchesOf(claim, analyses, false);
}

/** What the rules found about a claim and its best window. */
interface Findings {
  /** Some rule says otherwise than the claim, if only by chance. */
  isDoubted: boolean;
  /** The sentences say otherwise. */
  isOpposed: boolean;
  isExact: boolean;
  subject: SubjectConflict | null;
}

/** In other words, an opposite may belong to something else: it must be about the claim's own words. */
function isOpposed(claim: SentenceAnalysis, { conflict, repeated, analyses }: Assessment): boolean {
  if (conflict === null || conflict === "roles" || repeated.length > 0) {
    return conflict !== null;
  }
  return reverses(claim, analyses) === (conflict === "direction");
}

function verdictOf(claim: SentenceAnalysis, best: Assessment, found: Findings): Verdict {
  const { coverage, isAim, repeated, analyses } = best;
  const { subject } = found;
  const contradictedFrom = hasFewWords(claim) ? THRESHOLDS.partial : THRESHOLDS.contradicted;
  // With another subject in its place, a sentence says nothing of the claim's own.
  if (coverage < THRESHOLDS.partial || subject === "replaced") {
    return "unsupported";
  }
  if (found.isOpposed && !isAim && subject === null && coverage >= contradictedFrom) {
    return "contradicted";
  }
  const mayBeSaid = found.isExact && subject === null && !found.isDoubted && !isAim;
  const isSaid =
    repeated.length > 0
      ? coverage >= THRESHOLDS.supported
      : coverage >= THRESHOLDS.reworded && agrees(claim, analyses);
  return mayBeSaid && isSaid ? "supported" : "partial";
}

/** Word coverage times number agreement, and close to 0 when contradicted or about another subject. */
function scoreOf(
  { quantities }: SentenceAnalysis,
  coverage: number,
  { isOpposed, mismatches }: { isOpposed: boolean; mismatches: number },
): number {
  const numbers = quantities.length;
  const agreeing = numbers === 0 ? 1 : 1 - Math.min(mismatches, numbers) / (2 * numbers);
  const score = Math.min(1, coverage) * agreeing * (isOpposed ? 0.2 : 1);
  return Math.round(score * 1e4) / 1e4;
}
