import { raise } from "@/lib/text/note-marks";

const RAISABLE = /^[-−–+]?\d{1,3}[-−–+]?$|^[-−–+]$/;

/**
 * Raised text as what follows shows it: exponents, charges and the numbers of notes keep their height, because 10⁹ would be
 * 109 otherwise. As long as before; words such as the "th" of "5th" stay.
 */
export function superscript(raised: string): string {
  return RAISABLE.test(raised) ? raise(raised) : raised;
}
