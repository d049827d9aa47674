/** The share of the length that a last word may take to be left out whole. */
const LONGEST_WORD = 0.5;

/** At most `length` UTF-16 units: cut between words and ended by an ellipsis. A single long word is cut within. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const room = text.slice(0, length);
  const end = room.search(/\s\S*$/);
  const isBetween = end > length * LONGEST_WORD;
  // Not half a surrogate pair.
  const cut = isBetween ? room.slice(0, end) : room.slice(0, -1).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut.replace(/[\s,;:–-]+$/, "")}…`;
}
