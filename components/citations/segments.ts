import { isWorse, type PlacedClaim, type PlacedMarker, type Places, type Range } from "./places";

/** A segment of the answer: a marker, or text with one verdict or none. */
export interface Segment extends Range {
  marker: PlacedMarker | null;
  claim: PlacedClaim | null;
}

/**
 * Splits a text of this length at the boundaries of markers and claims, without gaps. Where claims overlap,
 * the worst verdict wins; a marker inside another one is dropped.
 */
export function toSegments(length: number, { markers, claims }: Places): Segment[] {
  const apart = withoutOverlaps(markers);
  // The marker's claim is a segment too, so it can be highlighted while the card is open.
  const named = apart.flatMap(({ claim }) => claim ?? []);
  const edges = [...apart, ...claims, ...named].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, length, ...edges])].toSorted((a, b) => a - b);
  const byStart = claims.toSorted((a, b) => a.start - b.start);
  const markerAt = new Map(apart.map((marker) => [marker.start, marker]));
  const segments: Segment[] = [];
  let open: PlacedClaim[] = [];
  let next = 0;
  for (const [at, start] of cuts.slice(0, -1).entries()) {
    const end = cuts[at + 1] ?? length;
    open = open.filter((claim) => claim.end > start);
    for (let claim = byStart[next]; claim?.start === start; claim = byStart[next]) {
      open.push(claim);
      next += 1;
    }
    const last = segments.at(-1);
    if (last?.marker && last.marker.end > start) {
      // Claims never split a marker.
      last.end = end;
    } else {
      segments.push({ start, end, marker: markerAt.get(start) ?? null, claim: worstClaim(open) });
    }
  }
  return segments;
}

/** The segments between two offsets, clipped to them. Binary search, because an answer can have thousands. */
export function cut(segments: readonly Segment[], { start, end }: Range): Segment[] {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.end ?? 0) <= start) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const pieces: Segment[] = [];
  for (let piece = segments[low]; piece && piece.start < end; piece = segments[low]) {
    const isWhole = piece.start >= start && piece.end <= end;
    pieces.push({
      start: Math.max(piece.start, start),
      end: Math.min(piece.end, end),
      // Ignores incomplete markers.
      marker: isWhole ? piece.marker : null,
      claim: piece.claim,
    });
    low += 1;
  }
  return pieces;
}

function withoutOverlaps(markers: readonly PlacedMarker[]): PlacedMarker[] {
  const apart: PlacedMarker[] = [];
  for (const marker of markers.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (marker.start >= (apart.at(-1)?.end ?? 0)) {
      apart.push(marker);
    }
  }
  return apart;
}

function worstClaim(claims: readonly PlacedClaim[]): PlacedClaim | null {
  return claims.reduce<PlacedClaim | null>(
    (worst, claim) => (!worst || isWorse(claim.verdict, worst.verdict) ? claim : worst),
    null,
  );
}
