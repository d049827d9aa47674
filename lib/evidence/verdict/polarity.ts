import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { sharedWeight } from "./coverage";
import { type ContentTerm, directionSign } from "./words";

export type PolarityConflict = "negation" | "direction";

const LIGHT = 0.5;
const NEIGHBORS = 4;
/** Longer than any real claim; bounds the time. The near-verbatim check still counts all of them. */
const MAX_CUES = 40;

/** Whether a claim negates or reverses the sentences. It must keep the polarity of the `repeated` ones exactly. */
export function polarityConflict(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
  repeated: readonly SentenceAnalysis[],
): PolarityConflict | null {
  if (repeated.some((analysis) => isSameWording(claim, analysis))) {
    return null;
  }
  const negations = repeated.reduce((sum, analysis) => sum + analysis.negations.length, 0);
  if (repeated.length > 0 && negations !== claim.negations.length) {
    return "negation";
  }
  if (swapsDirection(claim, repeated)) {
    return "direction";
  }
  const isDenied = analyses.some((analysis) => contradictsNegation(analysis, [claim]));
  if (isDenied || negatesAlone(claim, analyses) || contradictsNegation(claim, analyses)) {
    return "negation";
  }
  const isOpposed = claim.terms.some((term, at) =>
    opposesTerm(term, { analysis: claim, at }, analyses),
  );
  return isOpposed ? "direction" : null;
}

/** From this share of a claim's weight on, the title is about the same. */
const ABOUT = 0.4;

/** Whether the title denies the claim or goes the other way. */
export function titleConflicts(
  claim: SentenceAnalysis,
  { label: { analysis: title } }: AnalyzedPassage,
): boolean {
  return (
    sharedWeight(claim.terms, title.terms) >= ABOUT && polarityConflict(claim, [title], []) !== null
  );
}

/** Whether both have the same content words in the same order, negated alike. */
function isSameWording(claim: SentenceAnalysis, analysis: SentenceAnalysis): boolean {
  return (
    claim.negations.length === analysis.negations.length &&
    claim.terms.length === analysis.terms.length &&
    claim.terms.every((term, at) => {
      const other = analysis.terms[at];
      return term.stem === other?.stem && term.isNegated === other.isNegated;
    })
  );
}

/** Whether the claim negates something and the sentences contain nothing negative. */
function negatesAlone(claim: SentenceAnalysis, analyses: readonly SentenceAnalysis[]): boolean {
  const isNegative = ({ negations, terms }: SentenceAnalysis) =>
    negations.length > 0 || terms.some(({ direction }) => direction !== null && direction.sign < 0);
  return claim.negations.some(({ isWeak }) => !isWeak) && !analyses.some(isNegative);
}

/** Whether the first sentence negates what the others affirm about the same things. */
function contradictsNegation(
  denier: SentenceAnalysis,
  sayers: readonly SentenceAnalysis[],
): boolean {
  return denier.negations
    .filter(({ isWeak }) => !isWeak)
    .slice(0, MAX_CUES)
    .some(({ heads }) => {
      const telling = heads.filter((head) => (denier.terms[head]?.word.weight ?? 0) >= LIGHT);
      return isAffirmed(denier, telling.length > 0 ? telling : heads, sayers);
    });
}

function isAffirmed(
  denier: SentenceAnalysis,
  heads: readonly number[],
  sayers: readonly SentenceAnalysis[],
): boolean {
  let [denied, plain] = [-1, -1];
  for (const sayer of sayers) {
    for (const [index, term] of sayer.terms.entries()) {
      const head = heads.find((one) => isSame(denier.terms[one], term));
      if (head === undefined) {
        continue;
      }
      const shared = countShared({ analysis: denier, at: head }, { analysis: sayer, at: index });
      if (term.isNegated || sayer.negations.some(({ scope }) => scope.includes(index))) {
        denied = Math.max(denied, shared);
      } else {
        plain = Math.max(plain, shared);
      }
    }
  }
  return plain > Math.max(0, denied);
}

interface TermPosition {
  analysis: SentenceAnalysis;
  at: number;
}

function countShared(one: TermPosition, other: TermPosition): number {
  const near = neighbors(other);
  return neighbors(one).filter(
    (term) => term.word.weight >= LIGHT && near.some((two) => isSame(term, two)),
  ).length;
}

function neighbors({ analysis: { terms }, at }: TermPosition): ContentTerm[] {
  return [
    ...terms.slice(Math.max(0, at - NEIGHBORS), at),
    ...terms.slice(at + 1, at + NEIGHBORS + 1),
  ];
}

/** Whether two terms match by stem, root, synonym or direction. */
function isSame(one: ContentTerm | undefined, other: ContentTerm): boolean {
  return one?.stem === other.stem || Boolean(one?.keys.some((key) => other.keys.includes(key)));
}

/** The same word counts half as much as a matching neighbor right beside it. */
const SAME_WORD = 0.5;
/** Below this, two terms may describe different things. */
const MIN_NEARNESS = 0.2;

/** Whether the best matching term of the same axis has the opposite direction. */
function opposesTerm(
  term: ContentTerm,
  place: TermPosition,
  analyses: readonly SentenceAnalysis[],
): boolean {
  const axis = term.direction?.axis;
  if (!axis) {
    return false;
  }
  const others = analyses.flatMap((analysis) =>
    analysis.terms.flatMap((other, at) => {
      if (other.direction?.axis !== axis) {
        return [];
      }
      const shared = proximity(place, { analysis, at });
      const bonus = shared > 0 && other.stem === term.stem ? SAME_WORD : 0;
      return [{ score: shared + bonus, agrees: directionSign(term) === directionSign(other) }];
    }),
  );
  const best = others.reduce((most, { score }) => Math.max(most, score), 0);
  return best > MIN_NEARNESS && !others.some(({ score, agrees }) => agrees && score === best);
}

/** How well the contexts of two terms match; nearer words count more. */
function proximity(one: TermPosition, other: TermPosition): number {
  let sum = 0;
  for (let own = one.at - NEIGHBORS; own <= one.at + NEIGHBORS; own += 1) {
    const term = one.analysis.terms[own];
    if (!term || own === one.at || term.direction || term.word.weight < LIGHT) {
      continue;
    }
    const distance = distanceTo(term, other);
    sum += distance === null ? 0 : 1 / (distance * Math.abs(own - one.at));
  }
  return sum;
}

function distanceTo(term: ContentTerm, { analysis, at }: TermPosition): number | null {
  for (let distance = 1; distance <= NEIGHBORS; distance += 1) {
    const around = [analysis.terms[at - distance], analysis.terms[at + distance]];
    if (around.some((one) => one && isSame(one, term))) {
      return distance;
    }
  }
  return null;
}

/** In replacements, these axes are used interchangeably. */
const LIKE_AMOUNT = new Set(["amount", "drive", "quality"]);

/** Whether a word of a repeated sentence was replaced by its opposite: one more of this, one fewer of that. */
function swapsDirection(claim: SentenceAnalysis, repeated: readonly SentenceAnalysis[]): boolean {
  const terms = [
    ...claim.terms.map(({ direction }) => ({ direction, step: 1 })),
    ...repeated.flatMap((analysis) =>
      analysis.terms.map(({ direction }) => ({ direction, step: -1 })),
    ),
  ];
  const balance = new Map<string, [up: number, down: number]>();
  for (const { direction, step } of terms) {
    if (direction) {
      const axis = LIKE_AMOUNT.has(direction.axis) ? "amount" : direction.axis;
      const [up, down] = balance.get(axis) ?? [0, 0];
      balance.set(axis, direction.sign > 0 ? [up + step, down] : [up, down + step]);
    }
  }
  return [...balance.values()].some(([up, down]) => up * down < 0);
}
