import { COMMAS, isDash, isOneOf, readConjunction } from "./form";
import type { Window } from "./window";

/** What joins two markers. */
export interface Separator {
  end: number;
  /** A joint with a word stays between two that are kept; commas and blanks go. */
  hasWord: boolean;
  isRange: boolean;
}

const MOST_BLANKS = 4;

/** The joint that begins here, if one does: blanks, a comma, "and", or the dash of a range. */
export function readSeparator(window: Window, start: number): Separator | null {
  if (isDash(window.at(start))) {
    return { end: start + 1, hasWord: false, isRange: true };
  }
  const first = skipFewBlanks(window, start);
  const second = isOneOf(window.at(first), COMMAS) ? skipFewBlanks(window, first + 1) : first;
  const word = readConjunction(window, second);
  const end = word > 0 ? skipFewBlanks(window, second + word) : second;
  return end > start ? { end, hasWord: word > 0, isRange: false } : null;
}

function skipFewBlanks(window: Window, start: number): number {
  let at = start;
  while (at - start < MOST_BLANKS && isOneOf(window.at(at), " \t\u00a0")) {
    at += 1;
  }
  return at;
}
