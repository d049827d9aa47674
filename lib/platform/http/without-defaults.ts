import * as z from "zod";

type WithoutDefaults<S> = {
  [F in keyof S]: S[F] extends z.ZodDefault<infer T> ? z.ZodOptional<T> : S[F];
};

/** The fields of an object without their defaults, which their descriptions keep. */
export function withoutDefaults<S extends z.ZodRawShape>(shape: S): WithoutDefaults<S> {
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    field instanceof z.ZodDefault
      ? z.optional(field.unwrap()).meta({ ...field.meta(), default: field.def.defaultValue })
      : field,
  ]);
  return Object.fromEntries(fields) as WithoutDefaults<S>;
}
