/** A longer heading, or title in a vector, says no more of what a passage is about. */
export const LONGEST_HEADING = 200;

/** The first characters of a text, without half a surrogate pair at the end. */
export function clip(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
