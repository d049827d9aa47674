import { env } from "@/lib/platform/env";

/** Another chunk of a passage's section. */
export interface Neighbor extends Piece {
  id: string;
  tokenCount: number;
  /** Its place after the passage; negative before it. */
  distance: number;
}

export interface Excerpt {
  text: string;
  /** Offset in the document. */
  charStart: number;
}

interface Piece extends Excerpt {
  charEnd: number;
}

/** The most tokens that neighbors add to a passage: usually one chunk on each side. */
export const NEIGHBOR_TOKENS = 2 * (env.CHUNK_TOKENS + env.CHUNK_OVERLAP_TOKENS);
/** Nearest first; what comes before a passage more often names its subject. */
const DISTANCES = [-1, 1, -2, 2];
export const MAX_DISTANCE = 2;
/** Between two chunks of a section there is a blank line at most. */
const MAX_GAP = 2;

/**
 * A passage with the neighbors that touch it, up to NEIGHBOR_TOKENS, as one piece of the document. Adds the ids of those
 * used to `shown`, and leaves out those already in it.
 */
export function widen(passage: Piece, neighbors: readonly Neighbor[], shown: Set<string>): Excerpt {
  let piece = passage;
  let tokensLeft = NEIGHBOR_TOKENS;
  const isOpen = { before: true, after: true };
  for (const distance of DISTANCES) {
    const side = distance < 0 ? "before" : "after";
    const next = neighbors.find((one) => one.distance === distance);
    const fits = next && !shown.has(next.id) && next.tokenCount <= tokensLeft;
    const wider = fits && isOpen[side] ? joined(piece, next) : null;
    isOpen[side] = wider !== null;
    if (next && wider) {
      piece = wider;
      shown.add(next.id);
      tokensLeft -= next.tokenCount;
    }
  }
  return { text: piece.text, charStart: piece.charStart };
}

/** Two pieces of a document as one; null if they don't touch. */
function joined(piece: Piece, next: Piece & { distance: number }): Piece | null {
  const [first, second] = next.distance < 0 ? [next, piece] : [piece, next];
  const gap = second.charStart - first.charEnd;
  if (gap > MAX_GAP) {
    return null;
  }
  const rest = second.text.slice(Math.max(0, -gap));
  return {
    text: first.text + "\n".repeat(Math.max(0, gap)) + rest,
    charStart: first.charStart,
    charEnd: Math.max(first.charEnd, second.charEnd),
  };
}
