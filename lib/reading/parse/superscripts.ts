import { raise } from "@/lib/text/note-marks";

const RAISABLE = /^[-−–+]?\d{1,3}[-−–+]?$|^[-−–+]$/;

/** A number at the start of a word and before a slash is a numerator: "1/2", and not "10⁹/L" or "1¹/2". */
const BEGINS_WORD = /(?<!10)(?:^|[\s([–-])$/;
const SLASH = /^\s?[/⁄](?!\s?\p{L})/u;

/**
 * Raised text as what follows shows it: exponents, charges and the numbers of notes keep their height, because 10⁹ would be
 * 109 otherwise. As long as before; words such as the "th" of "5th" and numerators stay. `around`: the text on both sides.
 */
export function superscript(raised: string, around = { before: "", after: "" }): string {
  const isNumerator = SLASH.test(around.after) && BEGINS_WORD.test(around.before.slice(-3));
  return RAISABLE.test(raised) && !isNumerator ? raise(raised) : raised;
}
