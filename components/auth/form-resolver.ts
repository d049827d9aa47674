import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import type * as z from "zod";
import type { FORM_SCHEMAS } from "./form-schemas";

/** Checks a form by its schema. The schemas are 35 kB of script, so they load when a form is first submitted. */
export function formResolver<Output, Input extends FieldValues>(
  choose: (schemas: typeof FORM_SCHEMAS) => z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    const loaded = await import("./form-schemas").catch(() => null);
    if (!loaded) {
      const message = "We couldn’t reach the server. Check your connection and try again.";
      const errors = { root: { type: "load", message } } as FieldErrors<Input>;
      return { values: {}, errors };
    }
    const check = loaded.zodResolver(choose(loaded.FORM_SCHEMAS), { error: loaded.plainIssue });
    return check(values, context, options);
  };
}
