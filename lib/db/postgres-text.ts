/** PostgreSQL text can't contain NUL or lone surrogates. */
export function isPostgresText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
