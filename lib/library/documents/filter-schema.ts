import * as z from "zod";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { isIsoDate, MAX_ATTRIBUTE, MAX_KEY, OWN_FIELDS } from "./filter-value";

const MAX_LEVELS = 8;
const MAX_CONDITIONS = 64;
const MAX_VALUES = 100;
const MAX_ATTRIBUTES = 16;

const TEXT = "leave NUL characters and lone surrogates out";
const text = z
  .string()
  .max(MAX_ATTRIBUTE, `use at most ${MAX_ATTRIBUTE} characters`)
  .refine(isPostgresText, TEXT);
const key = z
  .string({ error: "expected the name of an attribute or field" })
  .min(1, "expected the name of an attribute or field")
  .max(MAX_KEY, `use at most ${MAX_KEY} characters`)
  .refine(isPostgresText, TEXT);
const scalar = z.union([text, z.number(), z.boolean()]);

const Equality = z.strictObject({ type: z.enum(["eq", "ne"]), key, value: scalar });
const Order = z.strictObject({
  type: z.enum(["gt", "gte", "lt", "lte"]),
  key,
  value: z.union([text, z.number()]),
});
const Membership = z.strictObject({
  type: z.enum(["in", "nin"]),
  key,
  value: z
    .array(scalar, { error: "expected a list of values" })
    .min(1, "name at least one value")
    .max(MAX_VALUES, `name at most ${MAX_VALUES} values`),
});
const Compound = z.strictObject({
  type: z.enum(["and", "or"]),
  get filters(): z.ZodArray<z.ZodType<Filter>> {
    return z
      .array(Filter, { error: "expected a list of filters" })
      .min(1, "name at least one filter")
      .max(MAX_CONDITIONS, `name at most ${MAX_CONDITIONS} filters`);
  },
});
export const Filter: z.ZodType<Filter> = z.discriminatedUnion(
  "type",
  [Equality, Order, Membership, Compound],
  {
    error:
      "expected a filter: an object with a 'type' of eq, ne, gt, gte, lt, lte, in, nin, and or or",
  },
);

/** A change of attributes, which are the members of a document's metadata that filters compare. */
export const Attributes = z
  .record(key, z.union([text, z.number(), z.boolean(), z.null()]))
  .refine((attributes) => Object.keys(attributes).length <= MAX_ATTRIBUTES, {
    message: `name at most ${MAX_ATTRIBUTES} attributes`,
  })
  .describe("Sets these members of the metadata, or removes them with null. The others stay.");

export type Comparison = z.output<typeof Equality | typeof Order | typeof Membership>;
export type Filter = Comparison | { type: "and" | "or"; filters: Filter[] };

/** OpenAI's comparison and compound filters. */
export const Filters = Filter.superRefine((filter, { addIssue }) => {
  const issue = findIssue(filter);
  if (issue) {
    addIssue({ code: "custom", ...issue });
  }
}).describe(
  "Only documents that match: OpenAI's comparison and compound filters, over attributes and the document's own fields.",
);

const NO_JSON = "expected a filter as JSON";

/** A filter in a query parameter. */
export const FiltersParam = z
  .string({ error: NO_JSON })
  .transform((json, { addIssue }): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      addIssue({ code: "custom", message: NO_JSON });
      return z.NEVER;
    }
  })
  .pipe(Filters)
  .describe("Only documents that match: a filter as in `filters` of a search, as JSON.");

/** Every comparison with its path, and compound filters that are too deep. */
export function* comparisonsIn(
  filter: Filter,
  path: readonly (string | number)[] = [],
): Generator<{ comparison: Comparison | null; path: readonly (string | number)[] }> {
  if (!("filters" in filter)) {
    yield { comparison: filter, path };
  } else if (path.length >= 2 * (MAX_LEVELS - 1)) {
    yield { comparison: null, path };
  } else {
    for (const [index, each] of filter.filters.entries()) {
      yield* comparisonsIn(each, [...path, "filters", index]);
    }
  }
}

function findIssue(filter: Filter): { message: string; path: (string | number)[] } | null {
  let count = 0;
  for (const { comparison, path } of comparisonsIn(filter)) {
    count += 1;
    if (!comparison) {
      return { message: `nest at most ${MAX_LEVELS} levels of filters`, path: [...path] };
    }
    if (count > MAX_CONDITIONS) {
      return { message: `use at most ${MAX_CONDITIONS} comparisons`, path: [...path] };
    }
    const message = wrongValue(comparison);
    if (message) {
      return { message, path: [...path, "value"] };
    }
  }
  return null;
}

function wrongValue({ key: name, value }: Comparison): string | null {
  const kind = Object.hasOwn(OWN_FIELDS, name) ? OWN_FIELDS[name] : undefined;
  const values = Array.isArray(value) ? value : [value];
  if (kind === "date" && values.some((each) => typeof each !== "string" || !isIsoDate(each))) {
    return `'${name}' is a date: expected an ISO 8601 date or time, such as 2026-10-31`;
  }
  return kind === "text" && values.some((each) => typeof each !== "string")
    ? `'${name}' is text: expected text`
    : null;
}
