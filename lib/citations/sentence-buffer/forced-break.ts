import type { PlacedMarker } from "../markers/output-buffer";

/** A sentence is judged as far as it goes after so many characters. */
export const MOST_HELD = 2000;
/** A sentence without markers is cut after a word, where one ends within so much. */
const LONGEST_WORD = 256;

/** Where a sentence that is too long is cut: behind the last marker it may hold, or else behind its last word. */
export function forcedBreak(text: string, markers: readonly PlacedMarker[]): number {
  const marker = markers.findLast(({ end }) => end <= MOST_HELD);
  if (marker) {
    return skipJoint(text, marker.end);
  }
  const limit = markers.find(({ start }) => start < MOST_HELD)?.start ?? MOST_HELD;
  for (let at = limit; at > limit - LONGEST_WORD; at -= 1) {
    if (/\s/.test(text.charAt(at - 1))) {
      return at;
    }
  }
  return /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
}

/** What joins a sentence's next part to this one belongs to neither; it stays here. */
function skipJoint(text: string, start: number): number {
  let end = start;
  while (end < MOST_HELD && /[\s,;:.!?)–—-]/.test(text.charAt(end))) {
    end += 1;
  }
  return end;
}
