import * as z from "zod";

export const MAX_DEPTH = 32;
const UNSTORABLE = "leave NUL characters and lone surrogates out";

/** Whether PostgreSQL can store a JSON value: well-formed Unicode, no NUL, limited nesting. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === "string") {
    return value.isWellFormed() && !value.includes("\0");
  }
  if (typeof value !== "object" || value === null) {
    return true;
  }
  return (
    depth < MAX_DEPTH &&
    Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item, depth + 1))
  );
}

export const storable = z.refine((value) => isStorable(value), UNSTORABLE);
