const RAISED: Record<string, string> = {
  ...Object.fromEntries(Array.from("⁰¹²³⁴⁵⁶⁷⁸⁹", (raised, digit) => [String(digit), raised])),
  ...{ "+": "⁺", "-": "⁻", "−": "⁻", "–": "⁻" },
};
const EXPONENT = /^[-−–+]?\d{1,3}$/;
const ENDS_WITH_DIGIT = /[\d⁰¹²³⁴-⁹⁻⁺]$/;

/**
 * Raised text as what follows shows it: the 9 of 10⁹ behind a digit, which would be 109 otherwise, and the number of a note
 * behind a year. As long as before; unchanged behind anything else.
 */
export function superscript(before: string, raised: string): string {
  return EXPONENT.test(raised) ? raiseSigns(before, raised) : raised;
}

/** As `superscript`, for one character of a raised number. */
export function raiseSigns(before: string, raised: string): string {
  return ENDS_WITH_DIGIT.test(before)
    ? Array.from(raised, (sign) => RAISED[sign] ?? sign).join("")
    : raised;
}
