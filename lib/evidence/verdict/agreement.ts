import { readPacks } from "@/lib/packs";
import weights from "./agreement-weights.json" with { type: "json" };
import { type Alignment, alignmentOf, isPlaced, isTelling } from "./alignment";
import type { SentenceAnalysis } from "./analyze-passage";
import { clearestDirection } from "./direction-margin";
import relationWords from "./relation-words.json" with { type: "json" };
import { type ContentTerm, stemOf } from "./words";

/** Verbs and adjectives that say how things relate: without them, shared words prove little. */
const PREDICATES = new Set(
  relationWords.predicates
    .split(" ")
    .concat(readPacks("words").predicates)
    .flatMap((word) => [word, `${word}s`, `${word.replace(/e$/, "")}ed`])
    .flatMap((word) => stemOf(word) ?? []),
);
/** Words that widen or narrow a statement, which a source must say as well. */
const LIMITS = new Set(relationWords.limits.split(" "));
/** Compared on each side of a relation. */
const NEIGHBORS = 3;

/**
 * Whether sentences say what a claim in other words says. Shared words show only that both are about the same thing;
 * what counts here is how the claim relates them.
 */
export function agrees(claim: SentenceAnalysis, sentences: readonly SentenceAnalysis[]): boolean {
  const alignments = sentences.map((sentence) => alignmentOf(claim, sentence));
  return (
    mayAgree(claim, sentences, alignments) && scoreOf(claim, alignments) >= weights.supported_from
  );
}

/** What sentences must have to say a claim at all. */
function mayAgree(
  claim: SentenceAnalysis,
  sentences: readonly SentenceAnalysis[],
  alignments: readonly Alignment[],
): boolean {
  return (
    keepsNegations(claim, alignments) &&
    keepsLimits(claim, sentences) &&
    claim.terms.every((term, index) => hasDirection(term, index, alignments))
  );
}

/**
 * Whether sentences give an odd number of the claim's directions the other way: "low X raises Y" says the same as "high
 * X lowers Y", and "doesn't lower" isn't the opposite of "doesn't raise".
 */
export function reverses(claim: SentenceAnalysis, sentences: readonly SentenceAnalysis[]): boolean {
  const alignments = sentences.map((sentence) => alignmentOf(claim, sentence));
  const opposite = relationsOf(claim).filter(
    (index) => clearestDirection(claim, index, alignments) === "opposite",
  );
  return opposite.length % 2 === 1;
}

function scoreOf(claim: SentenceAnalysis, alignments: readonly Alignment[]): number {
  const relations = relationsOf(claim);
  const missing = relations.filter((index) => !isPlaced(alignments, index));
  const isAmbiguous = relations.some(
    (index) => clearestDirection(claim, index, alignments) !== "same",
  );
  return (
    weights.intercept +
    weights.missing_relation * Math.min(2, missing.length) +
    weights.distant_relation * Math.min(2, countDistant(claim, alignments)) +
    weights.ambiguous_direction * Number(isAmbiguous) +
    weights.missing_share * missingShare(claim, alignments, missing)
  );
}

/** The relations that a sentence has, but not with what the claim has on both of their sides. */
function countDistant(claim: SentenceAnalysis, alignments: readonly Alignment[]): number {
  return relationsOf(claim).filter(
    (index) => isPlaced(alignments, index) && !isAnchored(claim, index, alignments),
  ).length;
}

/** The claim's terms that relate others: directions and predicates, by index. */
export function relationsOf({ terms }: SentenceAnalysis): number[] {
  return terms.flatMap(({ stem, direction }, index) =>
    direction !== null || PREDICATES.has(stem) ? [index] : [],
  );
}

/** Whether a sentence has the relation together with something from each of its sides. */
function isAnchored(
  { terms }: SentenceAnalysis,
  index: number,
  alignments: readonly Alignment[],
): boolean {
  const telling = [...terms.keys()].filter((at) => {
    const term = terms[at];
    return term && term.direction === null && isTelling(term);
  });
  const sides = [
    telling.filter((at) => at < index).slice(-NEIGHBORS),
    telling.filter((at) => at > index).slice(0, NEIGHBORS),
  ];
  return alignments.some(
    ({ places }) =>
      (places[index] ?? []).length > 0 &&
      sides.every((side) => side.length === 0 || side.some((at) => (places[at] ?? []).length > 0)),
  );
}

/** The share of the claim's weight that the sentences lack, apart from its relations. */
function missingShare(
  { terms }: SentenceAnalysis,
  alignments: readonly Alignment[],
  relations: readonly number[],
): number {
  let [all, lacking] = [0, 0];
  for (const [index, term] of terms.entries()) {
    all += term.word.weight;
    const isMissing = isTelling(term) && !relations.includes(index) && !isPlaced(alignments, index);
    lacking += isMissing ? term.word.weight : 0;
  }
  return all > 0 ? lacking / all : 0;
}

/** Whether what the claim denies is denied by the sentences too, and what it affirms isn't. */
function keepsNegations(claim: SentenceAnalysis, alignments: readonly Alignment[]): boolean {
  const isKept = claim.terms.every((term, index) => {
    const said = alignments.flatMap(({ sentence, places }) =>
      (places[index] ?? []).flatMap((at) => sentence.terms[at] ?? []),
    );
    return said.length === 0 || said.some(({ isNegated }) => isNegated === term.isNegated);
  });
  return (
    isKept &&
    claim.negations.every(({ heads, scope, isWeak }) =>
      isDenied(claim, isWeak ? heads : scope, alignments),
    )
  );
}

function isDenied(
  claim: SentenceAnalysis,
  denied: readonly number[],
  alignments: readonly Alignment[],
): boolean {
  return alignments.some(({ sentence, places }) =>
    sentence.negations.some(({ scope }) =>
      denied.some((index) => {
        const own = claim.terms[index];
        return (
          (places[index] ?? []).some((at) => scope.includes(at)) ||
          scope.some((at) => own && isSameDirection(own, sentence.terms[at]))
        );
      }),
    ),
  );
}

/** Whether the sentences have the direction at all, in this word or another. */
function hasDirection(term: ContentTerm, index: number, alignments: readonly Alignment[]): boolean {
  return (
    term.direction === null ||
    isPlaced(alignments, index) ||
    alignments.some(({ sentence }) => sentence.terms.some((other) => isSameDirection(term, other)))
  );
}

function isSameDirection(one: ContentTerm, other: ContentTerm | undefined): boolean {
  return (
    one.direction !== null &&
    one.direction.axis === other?.direction?.axis &&
    one.direction.sign === other.direction.sign
  );
}

const NO_LIMIT = /^(?:at most|not only)$/;

/** Whether the sentences have the claim's "only", "all" and "most". */
export function keepsLimits(
  { tokens }: SentenceAnalysis,
  sentences: readonly SentenceAnalysis[],
): boolean {
  const limits = tokens.filter(
    ({ lower }, at) => LIMITS.has(lower) && !NO_LIMIT.test(`${tokens[at - 1]?.lower} ${lower}`),
  );
  return limits.every(({ lower }) =>
    sentences.some((sentence) => sentence.tokens.some((token) => token.lower === lower)),
  );
}
