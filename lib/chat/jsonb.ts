/** A NUL or half of a surrogate pair, as JSON.stringify writes them; a backslash before it is told too often, not too rarely. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * The value as a JSON column takes it, for `fromKept` to give back unchanged. PostgreSQL's jsonb refuses characters
 * that JSON may hold; a value with one of them is kept as the text of its JSON, which has them escaped.
 */
export function encodeJsonb(value: unknown): string {
  const json = JSON.stringify(value);
  return UNSTORABLE.test(json) ? JSON.stringify(json) : json;
}

/** What was kept, from the column's parsed value. Only objects and arrays are kept, so text is the text of one. */
export function decodeJsonb<T extends object>(column: unknown): T {
  return typeof column === "string" ? JSON.parse(column) : (column as T);
}
