/** PostgreSQL text can't contain NUL or lone surrogates. */
export function isPostgresText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** An `int[]` for a statement. pg escapes each element of an array as if it were text, which takes longer. */
export function toIntArray(values: readonly number[]): string {
  return `{${values.join()}}`;
}
