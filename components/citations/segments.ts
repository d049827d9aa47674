import { isWorse, type PlacedClaim, type PlacedMarker, type Places, type Range } from "./places";

/** A segment of the answer: a marker, or text with one verdict or none. */
export interface Stretch extends Range {
  marker: PlacedMarker | null;
  claim: PlacedClaim | null;
}

/**
 * Cuts a text of this length where markers and claims begin and end, without a gap. Where claims overlap,
 * the worst verdict counts; a marker inside another one is left out.
 */
export function stretchesOf(length: number, { markers, claims }: Places): Stretch[] {
  const apart = withoutOverlaps(markers);
  // The marker's claim is a segment too, so it can be highlighted while the card is open.
  const named = apart.flatMap(({ claim }) => claim ?? []);
  const edges = [...apart, ...claims, ...named].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, length, ...edges])].toSorted((a, b) => a - b);
  const byStart = claims.toSorted((a, b) => a.start - b.start);
  const stretches: Stretch[] = [];
  let open: PlacedClaim[] = [];
  let [nextClaim, nextMarker] = [0, 0];
  for (const [at, start] of cuts.slice(0, -1).entries()) {
    const end = cuts[at + 1] ?? length;
    open = open.filter((claim) => claim.end > start);
    for (
      let claim = byStart[nextClaim];
      claim && claim.start <= start;
      claim = byStart[nextClaim]
    ) {
      open.push(claim);
      nextClaim += 1;
    }
    while ((apart[nextMarker]?.end ?? length) <= start && nextMarker < apart.length) {
      nextMarker += 1;
    }
    const marker = apart[nextMarker];
    const isInside = marker !== undefined && marker.start <= start && end <= marker.end;
    stretches.push({ start, end, marker: isInside ? marker : null, claim: worstOf(open) });
  }
  return joinMarkers(stretches);
}

/** The stretches between two offsets, cut to them. They are searched by halves: an answer may have thousands. */
export function cut(stretches: readonly Stretch[], { start, end }: Range): Stretch[] {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.end ?? 0) <= start) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const pieces: Stretch[] = [];
  for (let piece = stretches[low]; piece && piece.start < end; piece = stretches[low]) {
    pieces.push(clip(piece, { start, end }));
    low += 1;
  }
  return pieces;
}

/** Ignores incomplete markers. */
function clip(piece: Stretch, { start, end }: Range): Stretch {
  const isWhole = piece.start >= start && piece.end <= end;
  return isWhole
    ? piece
    : {
        start: Math.max(piece.start, start),
        end: Math.min(piece.end, end),
        marker: null,
        claim: piece.claim,
      };
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

/** Claims never split a marker. */
function joinMarkers(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of stretches) {
    const last = joined.at(-1);
    if (last?.marker && last.marker === stretch.marker) {
      joined[joined.length - 1] = { ...last, end: stretch.end };
    } else {
      joined.push(stretch);
    }
  }
  return joined;
}

function worstOf(claims: readonly PlacedClaim[]): PlacedClaim | null {
  return claims.reduce<PlacedClaim | null>(
    (worst, claim) => (!worst || isWorse(claim.verdict, worst.verdict) ? claim : worst),
    null,
  );
}
