/** How much text before an interval decides that it belongs to a number. */
export const MEASURE_LENGTH = 16;

/** A number and at most a unit: "59.6% ", "12 mmol/L ", "1.4 (95% CI) ". */
const MEASURE = /(?:\d\s?(?:[%‰°]|[\p{L}µ][\p{L}µ/²³·^-]{0,9})?|\bCI\)?|\bIQR\)?)[\s:=,]{0,3}$/u;
const BOUNDS = /^\[\s?(\d{1,3})\s?[-‐‑‒–—−,;]\s?(\d{1,3})\s?\]$/;

/**
 * The lower bound of an interval in square brackets that follows a number, such as "[40-75]" in "59.6% [40-75]"; 0 for
 * anything else, such as a list of citations.
 */
export function lowestBound(before: string, bracket: string): number {
  const [, from, to] = BOUNDS.exec(bracket) ?? [];
  return Number(from) < Number(to) && MEASURE.test(before) ? Number(from) : 0;
}
