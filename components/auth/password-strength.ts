const ENOUGH = 10;
const STRONG = 16;

/** What a password's length says of it. */
export function sayStrength({ length }: string): string {
  if (length === 0) {
    return `At least ${ENOUGH} characters. A few unrelated words are easy to remember.`;
  }
  if (length < ENOUGH) {
    return `${ENOUGH - length} more to go.`;
  }
  return length < STRONG ? "Long enough. Longer is stronger." : "Strong.";
}
