import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Filters } from "@/lib/library/documents/filter-schema";
import { FilterBuilder } from "./filter-builder";
import {
  COMPARISONS,
  type Condition,
  type FilterForm,
  findRejection,
  isFilterForm,
  MAX_CONDITIONS,
  NO_FILTER,
  toFilter,
} from "./filter-form";

function condition(change: Partial<Condition> = {}): Condition {
  return { key: "team", type: "eq", value: "legal", ...change };
}

function formOf(...changes: Partial<Condition>[]): FilterForm {
  return { match: "and", conditions: changes.map(condition) };
}

describe("toFilter", () => {
  it("is nothing without a complete condition", () => {
    expect(toFilter(NO_FILTER)).toBeUndefined();
    expect(toFilter(formOf({ key: " " }, { value: " " }))).toBeUndefined();
  });

  it("is one comparison, or all or any of several", () => {
    const team = { type: "eq", key: "team", value: "legal" };
    const year = { type: "gte", key: "year", value: 2026 };
    expect(toFilter(formOf({ key: " team " }, { key: "" }))).toEqual(team);
    const { conditions } = formOf({}, { key: "year", type: "gte", value: "2026" });
    expect(toFilter({ match: "and", conditions })).toEqual({ type: "and", filters: [team, year] });
    expect(toFilter({ match: "or", conditions })).toEqual({ type: "or", filters: [team, year] });
  });

  it.each<[Partial<Condition>, unknown]>([
    [{ value: "true" }, true],
    [{ value: '"7"' }, "7"],
    [{ key: "title", value: "7" }, "7"],
    [{ key: "title", value: "true" }, "true"],
    [{ key: "title", value: '"7"' }, "7"],
    [{ key: "created_at", type: "gt", value: "2026-10-31" }, "2026-10-31"],
    [{ type: "in", value: "legal, 7,, true" }, ["legal", 7, true]],
    [{ type: "nin", value: 'x, "a, b" , "7"' }, ["x", "a, b", "7"]],
    [{ key: "title", type: "in", value: '2026, "a, b"' }, ["2026", "a, b"]],
  ])("compares %j with %j", (change, value) => {
    const filter = toFilter(formOf(change));
    expect(filter).toMatchObject({ value });
    expect(Filters.safeParse(filter).error).toBeUndefined();
  });

  it("makes a filter that the API accepts of each comparison, and of as many as the form has", () => {
    const types = Object.keys(COMPARISONS) as Condition["type"][];
    expect(types).toHaveLength(MAX_CONDITIONS);
    expect(Filters.safeParse(toFilter(formOf(...types.map((type) => ({ type }))))).success).toBe(
      true,
    );
  });
});

describe("an error of the API", () => {
  const form = formOf({ key: "" }, {}, { key: "Team" });
  const message = "No document has an attribute 'Team'. Attributes that exist: 'team'.";
  const error = { message, param: "citations.filters.filters.1.key" };

  it("is about the condition that its path names, of those that were sent", () => {
    expect(findRejection(form, toFilter(form), error)).toEqual({
      condition: form.conditions[2],
      errors: { key: message },
    });
    const one = formOf({ key: "created_at", type: "in", value: "soon" });
    const wrong = { message, param: "filters.value.0" };
    expect(findRejection(one, toFilter(one), wrong)).toEqual({
      condition: one.conditions[0],
      errors: { value: message },
    });
  });

  it.each([
    ["after a change of the form", formOf({ key: "other" }), error],
    ["of another field", form, { message, param: "query" }],
    ["without a field", form, new Error("offline")],
    ["that isn't there", form, null],
  ])("is about none, %s", (_, shown, thrown) => {
    expect(findRejection(shown, toFilter(form), thrown)).toBeNull();
  });

  it("is shown at the field", () => {
    const markup = renderToStaticMarkup(
      createElement(FilterBuilder, {
        form,
        sent: toFilter(form),
        error,
        onChange: () => undefined,
      }),
    );
    const invalid = markup.match(/<input[^>]*aria-invalid="true"[^>]*>/g);
    expect(invalid).toHaveLength(1);
    expect(invalid?.[0]).toContain('value="Team"');
    const [, id] = /aria-describedby="([^"]+)"/.exec(invalid?.[0] ?? "") ?? [];
    expect(markup).toContain(`<p id="${id}" class="text-danger text-xs">No document has`);
  });
});

describe("isFilterForm", () => {
  it("accepts what the form makes", () => {
    expect([NO_FILTER, formOf({}, { type: "nin" })].every(isFilterForm)).toBe(true);
  });

  it.each([
    null,
    7,
    {},
    { ...NO_FILTER, match: "not" },
    { match: "and", conditions: [null] },
    { match: "and", conditions: [condition({ type: "constructor" as "eq" })] },
    { match: "and", conditions: [condition({ value: 7 as never })] },
    { match: "and", conditions: Array.from({ length: 9 }, () => condition()) },
  ])("refuses %j", (value) => {
    expect(isFilterForm(value)).toBe(false);
  });
});
