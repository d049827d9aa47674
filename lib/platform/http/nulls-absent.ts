import * as z from "zod";

/** The object, with null for a field it knows meaning that the field is absent, as clients with typed options send it. */
export function nullsAbsent<S extends z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>>(schema: S) {
  const objects: readonly z.ZodObject[] = "options" in schema ? schema.options : [schema];
  const fields = new Set(objects.flatMap(({ shape }) => Object.keys(shape)));
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return value;
    }
    const given = Object.entries(value).filter(
      ([field, each]) => each !== null || !fields.has(field),
    );
    return Object.fromEntries(given);
  }, schema);
}
