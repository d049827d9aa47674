import type { Word } from "./geometry";
import type { PageContent } from "./page-content";

/** Of a page most of whose text is missing, and of one with more text than is read. */
const INCOMPLETE = 0.2;
const CUT = 0.4;
/** The least that the order of reading contributes: it is often right where the file's is another. */
const LEAST_ORDER = 0.5;
/** How much each word counts that follows one of another region in the file. */
const TEAR = 5;

/**
 * From 0 to 1: how much of a page's text is there and means something, and how far the order of its regions agrees with
 * the file's. Null without text.
 */
export function pageConfidence(
  { characters, unmapped, isIncomplete, isCut }: PageContent,
  regions: readonly (readonly Word[])[],
): number | null {
  if (regions.every(({ length }) => length === 0)) {
    return unmapped > 0 || isIncomplete ? 0 : null;
  }
  const mapped = 1 - Math.min(1, unmapped / Math.max(1, characters));
  const whole = isIncomplete ? INCOMPLETE : 1;
  const confidence = mapped * whole * (isCut ? CUT : 1) * orderConfidence(regions);
  return Math.round(confidence * 100) / 100;
}

function orderConfidence(regions: readonly (readonly Word[])[]): number {
  const places = regions
    .flatMap((region, at) => region.map(({ order }) => ({ order, at })))
    .sort((a, b) => a.order - b.order);
  const changes = places.filter(({ at }, index) => index > 0 && at !== places[index - 1]?.at);
  const tears = Math.max(0, changes.length - (regions.length - 1));
  return Math.max(LEAST_ORDER, 1 - (TEAR * tears) / places.length);
}
