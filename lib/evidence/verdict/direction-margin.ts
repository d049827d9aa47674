import { type Alignment, isTelling } from "./alignment";
import type { SentenceAnalysis } from "./analyze-passage";
import { type ContentTerm, directionSign } from "./words";

/** How far around a direction its arguments are compared. */
const REACH = 4;
/** Repeating the same word counts as much as a far neighbor. */
const SAME_WORD = 0.3;
/** One direction must be this much better connected than the other. */
const CLEAR = 1.4;
/** Axes whose words replace each other: what promotes something increases it. */
const AMOUNTS = new Set(["amount", "drive", "extent", "spread"]);

type Clearest = "same" | "opposite" | "unclear";

/**
 * Which direction the sentences give to a directional term of the claim, judged by the words around it: in "X reduced
 * pain and increased nausea", nausea goes with the increase. `same` for a term without a direction.
 */
export function clearestDirection(
  claim: SentenceAnalysis,
  index: number,
  alignments: readonly Alignment[],
): Clearest {
  const { same, opposite } = connectionsOf(claim, index, alignments);
  if (opposite === 0 || same >= CLEAR * opposite) {
    return "same";
  }
  return opposite >= CLEAR * same ? "opposite" : "unclear";
}

/** How much better the sentences connect the claim's directions than their opposites: that of the worst one, 0 if none. */
export function directionMargin(claim: SentenceAnalysis, alignments: readonly Alignment[]): number {
  const margins = claim.terms.flatMap(({ direction }, index) => {
    const { same, opposite } = connectionsOf(claim, index, alignments);
    return direction ? [same - opposite] : [];
  });
  return margins.length > 0 ? Math.min(...margins) : 0;
}

/** The best connection of a directional term's own direction, and of the opposite one, to the words around it. */
function connectionsOf(
  claim: SentenceAnalysis,
  index: number,
  alignments: readonly Alignment[],
): { same: number; opposite: number } {
  const best = { same: 0, opposite: 0 };
  const term = claim.terms[index];
  if (!term?.direction) {
    return best;
  }
  const near = contextOf(claim, index);
  for (const { isSame, score } of alignments.flatMap((one) => directionsIn(one, term, near))) {
    const way = isSame ? "same" : "opposite";
    best[way] = Math.max(best[way], score);
  }
  return best;
}

/** The words of a sentence on the same axis: whether they go the same way, and how close they are to the same words. */
function directionsIn(
  alignment: Alignment,
  term: ContentTerm,
  near: readonly Neighbor[],
): { isSame: boolean; score: number }[] {
  return alignment.sentence.terms.flatMap((other, at) => {
    if (!other.direction || axisOf(other) !== axisOf(term)) {
      return [];
    }
    const shared = nearness(near, alignment, at);
    const bonus = shared > 0 && other.stem === term.stem ? SAME_WORD : 0;
    return { isSame: directionSign(other) === directionSign(term), score: shared + bonus };
  });
}

function axisOf({ direction }: ContentTerm): string | undefined {
  return direction && AMOUNTS.has(direction.axis) ? "amount" : direction?.axis;
}

/** A telling word near the claim's term. */
interface Neighbor {
  index: number;
  distance: number;
  weight: number;
}

function contextOf({ terms }: SentenceAnalysis, index: number): Neighbor[] {
  const first = Math.max(0, index - REACH);
  return terms.slice(first, index + REACH + 1).flatMap((term, offset) => {
    const distance = Math.abs(first + offset - index);
    const isNeighbor = distance > 0 && !term.direction && isTelling(term);
    return isNeighbor ? [{ index: first + offset, distance, weight: term.word.weight }] : [];
  });
}

/** How many of these words are around a place of the sentence; near ones and telling ones count most. */
function nearness(near: readonly Neighbor[], { places }: Alignment, at: number): number {
  let sum = 0;
  for (const { index, distance, weight } of near) {
    const closest = Math.min(
      ...(places[index] ?? []).map((place) => Math.abs(place - at) || Number.POSITIVE_INFINITY),
    );
    sum += closest <= REACH + 1 ? weight / Math.sqrt(closest * distance) : 0;
  }
  return sum;
}
