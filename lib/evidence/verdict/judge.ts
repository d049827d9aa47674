import { agrees, keepsLimits } from "./agreement";
import {
  type AnalyzedPassage,
  analyzeClaim,
  analyzePassage,
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
import { namesAlternative } from "./contrasts";
import { type ClaimTerm, claimTermsOf, weightOfTerms } from "./coverage";
import { type Evidence, findEvidence } from "./evidence";
import type { Judged, Verdict } from "./judged";
import { opposes } from "./opposition";
import { overclaims } from "./overclaim";
import { titleConflicts } from "./polarity";
import { hasUnsaidPredicate, hasUnsaidWord } from "./predicates";
import { hasMisplacedQuantity } from "./quantity-binding";
import { isAmong, mismatchesOf, type QuantityMismatch } from "./quantity-check";
import { type Quote, quoteOf } from "./quotes";
import { isShortAnswer } from "./short-answer";
import { type SubjectConflict, subjectConflict } from "./subject";
import { columnMismatches } from "./table-rows";

export interface Judgement extends Judged {
  /** The evidence for the verdict; null when it is `unsupported` or `unjudged`. */
  quote: Quote | null;
}

/** Minimum covered share of a claim's weight for each verdict; `reworded` if it repeats no sentence. */
const THRESHOLDS = { supported: 0.72, reworded: 0.55, partial: 0.46, contradicted: 0.55 };

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

/** "Yes" and "$4" say nothing without their question. */
const TOO_SHORT: Judgement = { ...UNJUDGED, reason: "too_short" };

function judgeIn(rules: KnownLanguage, claim: string, analyzed: AnalyzedPassage): Judgement {
  const analysis = withAbbreviations(analyzeClaim(claim, rules), analyzed.abbreviations);
  if (isShortAnswer(analysis)) {
    return TOO_SHORT;
  }
  const terms = [...claimTermsOf(analysis, analyzed), ...numberTerms(analysis, analyzed)];
  if (terms.length === 0) {
    return unsupported("empty");
  }
  const evidence = findEvidence(analysis, analyzed, terms);
  return evidence ? decide(analysis, analyzed, evidence) : unsupported("missing_terms");
}

function unsupported(reason: "empty" | "missing_terms"): Judgement {
  return { verdict: "unsupported", score: 0, method: "rules", reason, quote: null };
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

function decide(claim: SentenceAnalysis, analyzed: AnalyzedPassage, best: Evidence): Judgement {
  const mismatches = [...worstMismatches(claim, best), ...misplacedInRow(claim, analyzed, best)];
  const contradicting = findContradiction(mismatches) ?? misplacedInText(claim, analyzed, best);
  const isDoubted = best.conflict !== null || contradicting !== undefined;
  const subject = subjectOf(claim, analyzed, best);
  const unlimited = verdictOf(claim, best, {
    analyzed,
    isDoubted,
    isOpposed:
      (contradicting !== undefined && isCloselySaid(claim, best)) ||
      isOpposed(claim, analyzed, best),
    isExact: mismatches.length === 0,
    subject,
  });
  const isOverclaim = unlimited === "supported" && leavesOutLimit(claim, analyzed, best);
  const verdict = isOverclaim ? "partial" : unlimited;
  const flaw = isOverclaim ? "overclaim" : flawOf(best, subject, contradicting ?? mismatches[0]);
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
    reason: verdict === "supported" ? null : flaw,
    quote: verdict === "unsupported" ? null : quoteOf(claim, analyzed, evidence),
  };
}

function subjectOf(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  { coverage, analyses }: Evidence,
): SubjectConflict | null {
  return coverage >= THRESHOLDS.partial ? subjectConflict(claim, analyzed, analyses) : null;
}

function findContradiction(mismatches: readonly QuantityMismatch[]): QuantityMismatch | undefined {
  return mismatches.find(({ isContradiction }) => isContradiction);
}

function flawOf(
  { conflict, isAim, coverage }: Evidence,
  subject: SubjectConflict | null,
  mismatch: QuantityMismatch | undefined,
): string {
  if (coverage < THRESHOLDS.partial) {
    return "missing_terms";
  }
  const other = subject && "subject";
  const said = (subject === "exchanged" ? null : other) ?? conflict ?? mismatch?.reason ?? other;
  return said ?? (isAim ? "not_asserted" : "missing_terms");
}

/** Numbers that the only row of a table in the window has in another column. */
function misplacedInRow(
  claim: SentenceAnalysis,
  { analyses, rowSentences }: AnalyzedPassage,
  { sentences }: Evidence,
): QuantityMismatch[] {
  const [found, ...others] = sentences.filter((sentence) => rowSentences[sentence]);
  const [row, analysis] = [rowSentences[found ?? -1], analyses[found ?? -1]];
  return row && analysis && others.length === 0 ? columnMismatches(claim, row, analysis) : [];
}

/** When the claim repeats a sentence, numbers from a neighboring sentence don't count. */
function worstMismatches(
  claim: SentenceAnalysis,
  { analyses, repeated }: Evidence,
): QuantityMismatch[] {
  const own = repeated.length > 0 ? mismatchesOf(claim, repeated, true) : [];
  return own.some(({ isContradiction }) => isContradiction)
    ? own
    : mismatchesOf(claim, analyses, false);
}

/** A number that the claim attaches to something else than the evidence does. In a table's row, columns tell what a number is about. */
function misplacedInText(
  claim: SentenceAnalysis,
  { rowSentences }: AnalyzedPassage,
  { analyses, repeated, sentences }: Evidence,
): QuantityMismatch | undefined {
  const isRow = sentences.some((sentence) => rowSentences[sentence]);
  return !isRow && hasMisplacedQuantity(claim, repeated.length > 0 ? repeated : analyses)
    ? { reason: "number", isContradiction: true }
    : undefined;
}

/** What the rules found about a claim and its best window. */
interface Findings {
  analyzed: AnalyzedPassage;
  /** Some rule says otherwise than the claim, if only by chance. */
  isDoubted: boolean;
  /** The sentences say otherwise. */
  isOpposed: boolean;
  isExact: boolean;
  subject: SubjectConflict | null;
}

/** In other words, another number is often about something else. */
function isCloselySaid(claim: SentenceAnalysis, { repeated, coverage }: Evidence): boolean {
  return repeated.length > 0 || coverage >= THRESHOLDS.supported || hasFewWords(claim);
}

/** In other words, an opposite may belong to something else: it must be about the claim's own words. */
function isOpposed(
  claim: SentenceAnalysis,
  { analyses: passage }: AnalyzedPassage,
  { conflict, repeated, analyses: evidence, coverage }: Evidence,
): boolean {
  if (conflict === null || conflict === "roles" || repeated.length > 0) {
    return conflict !== null;
  }
  return opposes(claim, { conflict, evidence, passage, coverage });
}

function verdictOf(claim: SentenceAnalysis, best: Evidence, found: Findings): Verdict {
  const { coverage, isAim } = best;
  const { subject } = found;
  const contradictedFrom = hasFewWords(claim) ? THRESHOLDS.partial : THRESHOLDS.contradicted;
  // With another subject in its place, a sentence says nothing of the claim's own.
  if (coverage < THRESHOLDS.partial || subject === "replaced") {
    return "unsupported";
  }
  if (found.isOpposed && !isAim && subject !== "absent" && coverage >= contradictedFrom) {
    return "contradicted";
  }
  const mayBeSaid = found.isExact && subject === null && !found.isDoubted && !isAim;
  return mayBeSaid && isSaid(claim, found.analyzed, best) ? "supported" : "partial";
}

function isSaid(claim: SentenceAnalysis, analyzed: AnalyzedPassage, evidence: Evidence): boolean {
  const { coverage, repeated, analyses, sentences } = evidence;
  // A table's row has no relations or predicates to compare.
  const isRow = sentences.some((sentence) => analyzed.rowSentences[sentence]);
  if (
    namesAlternative(claim, analyzed, evidence) ||
    (!isRow && hasUnsaidWord(claim, analyzed, analyses))
  ) {
    return false;
  }
  if (repeated.length > 0) {
    return coverage >= THRESHOLDS.supported && keepsLimits(claim, analyses);
  }
  return (
    coverage >= THRESHOLDS.reworded &&
    agrees(claim, analyses) &&
    (isRow || !(titleConflicts(claim, analyzed) || hasUnsaidPredicate(claim, analyzed)))
  );
}

/** A row's other cells limit nothing in the cell that a claim is about. */
function leavesOutLimit(
  claim: SentenceAnalysis,
  { rowSentences }: AnalyzedPassage,
  { repeated, analyses, sentences }: Evidence,
): boolean {
  const isRow = sentences.some((sentence) => rowSentences[sentence]);
  return !isRow && overclaims(claim, repeated.length > 0 ? repeated : analyses);
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
