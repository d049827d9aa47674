import * as z from "zod";

/** The object, with null for a field it knows meaning that the field is absent, as clients with typed options send it. */
export function nullsAbsent<S extends z.ZodObject>(schema: S) {
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return value;
    }
    const given = Object.entries(value).filter(
      ([field, each]) => each !== null || !(field in schema.shape),
    );
    return Object.fromEntries(given);
  }, schema);
}
