import type { Comparison, Filter } from "@/lib/library/documents/filter-schema";
import { OWN_FIELDS } from "@/lib/library/documents/filter-value";
import { parseAttribute } from "./attribute-value";

export const COMPARISONS: Record<Comparison["type"], string> = {
  eq: "is",
  ne: "isn’t",
  gt: "is greater than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  in: "is one of",
  nin: "is none of",
};
export const MAX_CONDITIONS = 8;

/** A comparison, as typed. */
export interface Condition {
  key: string;
  type: Comparison["type"];
  value: string;
}

/** A filter of one level, as typed. Documents match all of its conditions, or any. */
export interface FilterForm {
  match: "and" | "or";
  conditions: readonly Condition[];
}

export const NO_FILTER: FilterForm = { match: "and", conditions: [] };

/** An incomplete condition isn't applied. */
export function isComplete({ key, value }: Condition): boolean {
  return key.trim() !== "" && value.trim() !== "";
}

/** The API's filter; undefined without a complete condition. */
export function toFilter({ match, conditions }: FilterForm): Filter | undefined {
  const filters = conditions.filter(isComplete).map(toComparison);
  return filters.length > 1 ? { type: match, filters } : filters[0];
}

/** Invalid values are sent as typed, so the API's own error explains the problem. */
function toComparison({ key, type, value }: Condition): Comparison {
  const name = key.trim();
  const isOwn = Object.hasOwn(OWN_FIELDS, name);
  const parse = (typed: string) =>
    isOwn && !typed.trim().startsWith('"') ? typed.trim() : parseAttribute(typed);
  if (type !== "in" && type !== "nin") {
    return { type, key: name, value: parse(value) } as Comparison;
  }
  // A comma in quotes is part of a value.
  const values = value.match(/\s*"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  return { type, key: name, value: values.filter((each) => each.trim()).map(parse) };
}

/** The condition that an error is about, with its errors by field; null if the form has changed since it was sent. */
export function findRejection(
  form: FilterForm,
  sent: unknown,
  error: { message: string; param?: string | null } | null | undefined,
) {
  const [, at = "0", field] =
    /\bfilters(?:\.filters\.(\d+))?\.(key|value)\b/.exec(error?.param ?? "") ?? [];
  const condition = form.conditions.filter(isComplete)[Number(at)];
  const isSame = JSON.stringify(toFilter(form)) === JSON.stringify(sent);
  return error && field && isSame ? { condition, errors: { [field]: error.message } } : null;
}

/** Whether a link's value is a filter of the form. */
export function isFilterForm(value: unknown): value is FilterForm {
  const { match, conditions } = (value ?? {}) as Partial<FilterForm>;
  const isText = (each: unknown) => typeof each === "string";
  return (
    (match === "and" || match === "or") &&
    Array.isArray(conditions) &&
    conditions.length <= MAX_CONDITIONS &&
    conditions.every(
      (each) => isText(each?.key) && isText(each.value) && Object.hasOwn(COMPARISONS, each.type),
    )
  );
}
