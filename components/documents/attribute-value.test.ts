import { describe, expect, it } from "vitest";
import { attributesIn, formatAttribute, parseAttribute } from "./attribute-value";

describe("a typed attribute", () => {
  it.each([
    ["legal", "legal"],
    [" legal team ", "legal team"],
    ["2026", 2026],
    ["-1.50", -1.5],
    ["true", true],
    ["True", "True"],
    ['"2026"', "2026"],
    ['""', ""],
    ["007", "007"],
    ["2026-10-31", "2026-10-31"],
    ["12345678901234567890", "12345678901234567890"],
    ["1e999", "1e999"],
    ["null", "null"],
    ["[1]", "[1]"],
    ['"open', '"open'],
  ])("%j is %j", (typed, value) => {
    expect(parseAttribute(typed)).toBe(value);
  });

  it.each([
    "legal",
    "",
    "7",
    "true",
    '"quoted"',
    " padded ",
    "two\nlines",
    "null",
    7,
    -0.5,
    1e21,
    false,
  ])("is the same after %j is shown and read again", (value) => {
    expect(parseAttribute(formatAttribute(value))).toBe(value);
  });

  it("has quotes only where they are needed", () => {
    expect(["legal", "7", 7, true].map(formatAttribute)).toEqual(["legal", '"7"', "7", "true"]);
  });
});

describe("attributesIn", () => {
  it("leaves out what filters can't compare", () => {
    const metadata = { a: "x", b: 1, c: false, d: null, e: [1], f: {}, g: "x".repeat(513) };
    expect(attributesIn(metadata).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });
});
