/** Whether PostgreSQL takes the text: it stores no NUL and no half of a surrogate pair. */
export function isPostgresText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
