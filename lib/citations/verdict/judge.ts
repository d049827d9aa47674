import {
  type AnalyzedPassage,
  analyzePassage,
  figureKey,
  readClaim,
  withAbbreviations,
} from "./analyze-passage";
import { bestWindows, type ClaimTerm, claimTermsOf, type Window } from "./coverage";
import { type PolarityConflict, polarityConflict } from "./polarity";
import { countSaid, faultsOf, isEqual, type QuantityFault } from "./quantity-check";
import { type Quote, quoteOf } from "./quotes";
import { directionKey, type SentenceAnalysis } from "./analyze-sentence";
import type { ContentTerm } from "./words";

export type Verdict = "supported" | "partial" | "unsupported" | "contradicted";
type Reason =
  | "number"
  | "unit"
  | "comparator"
  | "negation"
  | "direction"
  | "missing_terms"
  | "not_asserted"
  | "empty";

/** What the rules hold of a claim and a passage. It is about words and numbers, never about truth. */
export interface Judgement {
  verdict: Verdict;
  /** How much of the claim the passage says, from 0 to 1. */
  score: number;
  method: "rules";
  /** Why it is not `supported`; null when it is. */
  reason: Reason | null;
  /** What the verdict rests on; null when it is `unsupported`. */
  quote: Quote | null;
}

/** From these shares of a claim's weight on, its words are all said, partly said, or said enough to be denied. */
const LEAST = { supported: 0.72, partial: 0.46, contradicted: 0.55 };
/** A window that says the opposite is only taken when no other says nearly as much. */
const DISAGREEMENT_DISCOUNT = 0.05;
/** A sentence that says a number of the claim is looked at before one that says a little more of its words. */
const NUMBER_BONUS = 0.08;
/** A sentence that only says what was to be found out gives way to one that says what was found. */
const AIM_DISCOUNT = 0.15;
/** From here on the claim repeats the sentence, and must repeat its denials. */
const VERBATIM = 0.8;

/** Holds a claim against a passage. For several claims against one passage, prepare it once. */
export function judge(claim: string, passage: string): Judgement {
  return judgeAnalyzed(claim, analyzePassage(passage));
}

export function judgeAnalyzed(claim: string, prepared: AnalyzedPassage): Judgement {
  const reading = withAbbreviations(readClaim(claim), prepared.shortForms);
  const needs = [...claimTermsOf(reading, prepared), ...numberNeeds(reading, prepared)];
  if (needs.length === 0) {
    return { verdict: "unsupported", score: 0, method: "rules", reason: "empty", quote: null };
  }
  const windows = bestWindows(needs, bonusesOf(reading, prepared));
  const best = windows
    .map((window) => hold(reading, prepared, window))
    .reduce<Held | null>((one, other) => (one && one.rank >= other.rank ? one : other), null);
  if (!best) {
    return {
      verdict: "unsupported",
      score: 0,
      method: "rules",
      reason: "missing_terms",
      quote: null,
    };
  }
  return decide(reading, prepared, best);
}

/** What each sentence gains by the claim's numbers that it says, and loses by asserting nothing. */
function bonusesOf(
  claim: SentenceAnalysis,
  { readings, figures }: AnalyzedPassage,
): (sentence: number) => number {
  const said = new Map<number, number>();
  for (const figure of new Set(claim.quantities.map(figureKey))) {
    for (const sentence of figures.get(figure) ?? []) {
      said.set(sentence, (said.get(sentence) ?? 0) + 1);
    }
  }
  return (sentence) => {
    const discount = readings[sentence]?.isAim && !claim.isAim ? AIM_DISCOUNT : 0;
    return NUMBER_BONUS * (said.get(sentence) ?? 0) - discount;
  };
}

/** A claim that has next to no words, as "5 mg twice daily", is found by its numbers. */
function numberNeeds(claim: SentenceAnalysis, { readings }: AnalyzedPassage): ClaimTerm[] {
  if (!isBare(claim)) {
    return [];
  }
  return claim.quantities.slice(0, MOST_NUMBERS).map((quantity) => ({
    weight: 1,
    strengths: new Map(
      readings.flatMap((reading, sentence): [number, number][] =>
        reading.quantities.some((other) => isEqual(quantity, other)) ? [[sentence, 1]] : [],
      ),
    ),
  }));
}

const FEW_WORDS = 1;

function isBare({ items }: SentenceAnalysis): boolean {
  return items.reduce((sum, { word }) => sum + word.weight, 0) < FEW_WORDS;
}

/** Each is looked for in all sentences; a claim without words has few. */
const MOST_NUMBERS = 8;

/** A claim held against one window. */
interface Held {
  window: Window;
  disagreement: PolarityConflict | null;
  /** Whether the window tells what was to be found out, and the claim does not. */
  isAim: boolean;
  rank: number;
}

function hold(claim: SentenceAnalysis, prepared: AnalyzedPassage, window: Window): Held {
  const readings = readingsOf(prepared, window);
  const disagreement = polarityConflict(claim, readings, repeatedOf(claim, readings));
  const isAim = !claim.isAim && readings.some((reading) => reading.isAim);
  const numbers = countSaid(claim, readings);
  return {
    window,
    disagreement,
    isAim,
    rank:
      window.coverage +
      NUMBER_BONUS * numbers -
      (disagreement ? DISAGREEMENT_DISCOUNT : 0) -
      (isAim ? AIM_DISCOUNT : 0),
  };
}

function readingsOf({ readings }: AnalyzedPassage, { sentences }: Window): SentenceAnalysis[] {
  return sentences.flatMap((sentence) => readings[sentence] ?? []);
}

/** The sentences that a claim says nearly all of, if they in turn say nearly all of it: what it repeats. */
function repeatedOf(
  claim: SentenceAnalysis,
  readings: readonly SentenceAnalysis[],
): SentenceAnalysis[] {
  const repeated = readings.filter((reading) => shareSaid(reading.items, claim.items) >= VERBATIM);
  const said = repeated.flatMap(({ items }) => items);
  return repeated.length > 0 && shareSaid(claim.items, said) >= VERBATIM ? repeated : [];
}

/** The share of the first items' weight that the others say, be it the other way round. */
function shareSaid(items: readonly ContentTerm[], others: readonly ContentTerm[]): number {
  const said = new Set(others.flatMap(({ keys }) => keys));
  let [all, shared] = [0, 0];
  for (const { word, keys, direction } of items) {
    const { weight } = word;
    const isTurned = direction && said.has(directionKey(direction.axis, -direction.sign));
    all += weight;
    shared += isTurned || keys.some((key) => said.has(key)) ? weight : 0;
  }
  return all > 0 ? shared / all : 0;
}

function decide(claim: SentenceAnalysis, prepared: AnalyzedPassage, held: Held): Judgement {
  const { sentences } = held.window;
  const readings = readingsOf(prepared, held.window);
  const faults = worstFaults(claim, readings);
  const verdict = verdictOf(held, faults, isBare(claim) ? LEAST.partial : LEAST.contradicted);
  return {
    verdict,
    score: scoreOf(held, faults, claim),
    method: "rules",
    reason: verdict === "supported" ? null : reasonOf(held, faults),
    // What a claim only partly rests on is shown by one sentence: a second one adds little to it.
    quote:
      verdict === "unsupported"
        ? null
        : quoteOf(claim, prepared, { sentences, mayJoin: verdict !== "partial" }),
  };
}

/** The numbers of a sentence that the claim repeats are its own: another one beside it cannot make up for them. */
function worstFaults(
  claim: SentenceAnalysis,
  readings: readonly SentenceAnalysis[],
): QuantityFault[] {
  const repeated = repeatedOf(claim, readings);
  const own = repeated.length > 0 ? faultsOf(claim, repeated, true) : [];
  return own.some(({ isContradiction }) => isContradiction)
    ? own
    : faultsOf(claim, readings, false);
}

function verdictOf(
  { window, disagreement, isAim }: Held,
  faults: readonly QuantityFault[],
  leastContradicted: number,
): Verdict {
  const { coverage } = window;
  if (coverage < LEAST.partial) {
    return "unsupported";
  }
  const isContradicted =
    !isAim && (disagreement !== null || faults.some(({ isContradiction }) => isContradiction));
  if (isContradicted && coverage >= leastContradicted) {
    return "contradicted";
  }
  const isWhole = coverage >= LEAST.supported && !isContradicted && !isAim && faults.length === 0;
  return isWhole ? "supported" : "partial";
}

function reasonOf({ disagreement, window, isAim }: Held, faults: readonly QuantityFault[]): Reason {
  const worst = faults.find(({ isContradiction }) => isContradiction) ?? faults[0];
  return window.coverage < LEAST.partial
    ? "missing_terms"
    : (disagreement ?? worst?.reason ?? (isAim ? "not_asserted" : "missing_terms"));
}

/** The share of the words that is said, times that of the numbers; next to nothing when denied. */
function scoreOf(held: Held, faults: readonly QuantityFault[], claim: SentenceAnalysis): number {
  const numbers = claim.quantities.length;
  const said = numbers === 0 ? 1 : 1 - Math.min(faults.length, numbers) / (2 * numbers);
  const isContradicted =
    held.disagreement !== null || faults.some(({ isContradiction }) => isContradiction);
  const score = Math.min(1, held.window.coverage) * said * (isContradicted ? 0.2 : 1);
  return Math.round(score * 1e4) / 1e4;
}
