import { describe, expect, it } from "vitest";
import { type Filter, Filters, FiltersParam } from "./filter-schema";
import { isIsoDate, valueBounds } from "./filter-value";

const eq = (key: string, value: string | number | boolean): Filter => ({ type: "eq", key, value });

function nested(levels: number): Filter {
  return levels === 1 ? eq("team", "legal") : { type: "and", filters: [nested(levels - 1)] };
}

/** The path of the first issue, with its message. */
function issueOf(filter: unknown): [path: string, message: string] {
  const [issue] = Filters.safeParse(filter).error?.issues ?? [];
  return [issue?.path.join(".") ?? "valid", issue?.message ?? ""];
}

describe("a filter", () => {
  it("takes OpenAI's comparison and compound filters", () => {
    const filter: Filter = {
      type: "or",
      filters: [
        { type: "and", filters: [eq("team", "legal"), { type: "gte", key: "year", value: 2024 }] },
        { type: "nin", key: "region", value: ["EU", 7, true] },
        { type: "lt", key: "published_at", value: "2026-10-31" },
      ],
    };
    expect(Filters.parse(filter)).toEqual(filter);
    expect(FiltersParam.parse(JSON.stringify(filter))).toEqual(filter);
    expect(Filters.parse(nested(8))).toEqual(nested(8));
  });

  it.each<[name: string, filter: unknown, path: string]>([
    ["no object", "team = legal", ""],
    ["null", null, ""],
    ["a list", [eq("a", 1)], ""],
    ["no type", { key: "team", value: "legal" }, "type"],
    ["an unknown type", { type: "like", key: "team", value: "legal" }, "type"],
    ["an unknown field", { ...eq("team", "legal"), not: true }, ""],
    ["no key", { type: "eq", value: "legal" }, "key"],
    ["an empty key", eq("", "legal"), "key"],
    ["a key that PostgreSQL can't store", eq("te\0am", "legal"), "key"],
    ["a value of null", { type: "eq", key: "team", value: null }, "value"],
    ["an object as a value", { type: "eq", key: "team", value: { a: 1 } }, "value"],
    ["a list for eq", { type: "eq", key: "team", value: ["legal"] }, "value"],
    ["text for in", { type: "in", key: "team", value: "legal" }, "value"],
    ["an empty list of values", { type: "in", key: "team", value: [] }, "value"],
    ["a wrong value in a list", { type: "in", key: "team", value: ["a", null] }, "value.1"],
    ["101 values", { type: "in", key: "n", value: Array.from({ length: 101 }, Number) }, "value"],
    ["an order of booleans", { type: "gt", key: "isFinal", value: true }, "value"],
    ["513 characters", eq("team", "x".repeat(513)), "value"],
    ["no filters", { type: "and", filters: [] }, "filters"],
    [
      "a wrong part",
      { type: "and", filters: [eq("a", 1), { type: "gt", key: "b", value: {} }] },
      "filters.1.value",
    ],
    ["a number for a date", { type: "gte", key: "created_at", value: 1_700_000_000 }, "value"],
    ["a day that isn't there", eq("published_at", "2026-02-30"), "value"],
    ["a number for a title", { type: "and", filters: [eq("title", 3)] }, "filters.0.value"],
    ["nine levels", nested(9), Array.from({ length: 7 }, () => "filters.0").join(".")],
    [
      "65 comparisons",
      {
        type: "or",
        filters: [
          { type: "and", filters: Array.from({ length: 60 }, () => eq("a", 1)) },
          ...Array.from({ length: 5 }, () => eq("b", 1)),
        ],
      },
      "filters.5",
    ],
  ])("names the place of %s", (_, filter, path) => {
    expect(Filters.safeParse(filter).success).toBe(false);
    expect(issueOf(filter)[0]).toBe(path);
  });

  it("in a query parameter is JSON", () => {
    expect(FiltersParam.safeParse("{type:eq}").error?.issues[0]?.message).toBe(
      "expected a filter as JSON",
    );
  });
});

describe("the text form of a value", () => {
  it("sorts as numbers do", () => {
    const numbers = [-1e308, -2.5, -2, -1e-300, 0, 5e-324, 0.1, 1, 9, 10, 2 ** 53, 1e308];
    const forms = numbers.map((value) => valueBounds("n", value).low);
    expect(forms.toSorted()).toEqual(forms);
    expect(valueBounds("n", -0)).toEqual(valueBounds("n", 0));
  });

  it("is the whole day for a date, and the instant for a time", () => {
    expect(valueBounds("d", "2026-10-31")).toEqual({
      low: "d2026-10-31T00:00:00.000Z",
      high: "d2026-10-31T23:59:59.999Z",
    });
    const instant = "d2026-10-31T13:15:00.000Z";
    for (const value of [
      "2026-10-31T15:15+02:00",
      "2026-10-31T13:15:00",
      "2026-10-31T13:15:00.000999Z",
    ]) {
      expect(valueBounds("d", value)).toEqual({ low: instant, high: instant });
    }
  });

  it("is text for what isn't a date of the calendar", () => {
    const texts = [
      "2026",
      "2026-02-29",
      "2026-13-01",
      "2026-10-31 15:00",
      "0001-01-01",
      "2026-10-31T24:00Z",
    ];
    expect(texts.filter(isIsoDate)).toEqual([]);
    expect(valueBounds("d", "2026-02-29").low).toBe("s2026-02-29");
  });
});
