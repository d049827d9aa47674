import type { UrlCitation, Verification } from "@/lib/answers/citations/schema";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import { CodePoints } from "@/lib/text/code-points";
import { VERDICTS } from "./labels";

/** A range of the answer in UTF-16 code units, end exclusive. */
export interface Range {
  start: number;
  end: number;
}

export interface PlacedMarker extends Range {
  citationId: number;
  /** Null while the answer streams, because annotations come last. */
  annotation: UrlCitation["url_citation"] | null;
  /** The claim it cites. */
  claim: Range | null;
}

/** A claim with the combined verdict of its sources. */
export interface PlacedClaim extends Range {
  verdict: Verdict;
}

export interface Places {
  markers: PlacedMarker[];
  claims: PlacedClaim[];
}

interface Answer {
  content: string;
  annotations: readonly UrlCitation[] | undefined;
  verification: Verification | undefined;
}

/** Locates markers and claims. Annotations count code points; ranges outside the text are dropped. */
export function locateClaims({ content, annotations = [], verification }: Answer): Places {
  const points = new CodePoints(content);
  const place = (start: number, end: number): Range | null => {
    const range = { start: points.toOffset(start), end: points.toOffset(end) };
    return start >= 0 && range.start < range.end && range.end <= content.length ? range : null;
  };
  const own = annotations.filter(({ url_citation }) => !url_citation.extended);
  const markers = own.flatMap(({ url_citation: at }): PlacedMarker[] => {
    const range = place(at.start_index, at.end_index);
    const claim = place(at.claim.start_index, at.claim.end_index);
    return range ? [{ ...range, citationId: at.citation_id, annotation: at, claim }] : [];
  });
  const judged = verification?.claims ?? judgedByMarker(annotations);
  const claims = judged.flatMap((claim): PlacedClaim[] => {
    const range = place(claim.start_index, claim.end_index);
    return range ? [{ ...range, verdict: claim.verdict }] : [];
  });
  return { markers: markers.toSorted((a, b) => a.start - b.start), claims };
}

/** Finds markers before the annotations arrive: anything that looks like one and refers to a source. */
export function guessMarkers(content: string, ids: ReadonlySet<number>): PlacedMarker[] {
  return [...content.matchAll(/\[(\d{1,3})\]/g)]
    .map(({ index: start, 0: text, 1: id }) => ({
      start,
      end: start + text.length,
      citationId: Number(id),
      annotation: null,
      claim: null,
    }))
    .filter(({ citationId }) => ids.has(citationId));
}

export function isWorse(verdict: Verdict, other: Verdict): boolean {
  return VERDICTS.indexOf(verdict) > VERDICTS.indexOf(other);
}

type Claim = Pick<Verification["claims"][number], "start_index" | "end_index" | "verdict">;

/** Without a combined verdict: a contradiction by any single source, else the best support. */
function judgedByMarker(annotations: readonly UrlCitation[]): Claim[] {
  const claims = new Map<string, Claim>();
  for (const { url_citation: at } of annotations) {
    const { start_index, end_index } = at.claim;
    const key = `${start_index}-${end_index}`;
    const verdict = at.verification?.verdict;
    const known = claims.get(key)?.verdict;
    const isTelling =
      !known ||
      verdict === "contradicted" ||
      (verdict && known !== "contradicted" && isWorse(known, verdict));
    if (verdict && isTelling) {
      claims.set(key, { start_index, end_index, verdict });
    }
  }
  return [...claims.values()];
}
