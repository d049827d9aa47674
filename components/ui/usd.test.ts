import { describe, expect, it } from "vitest";
import { formatRoughUsd, formatUsd, placesOf } from "./usd";

describe("formatUsd", () => {
  it.each([
    ["0.000000", "$0.00"],
    ["-0.000000", "$0.00"],
    ["5.000000", "$5.00"],
    ["12.5", "$12.50"],
    ["7", "$7.00"],
    ["1234567.890000", "$1,234,567.89"],
    ["4.999988", "$4.999988"],
    ["0.000010", "$0.00001"],
    ["-0.000012", "−$0.000012"],
    ["-25.000000", "−$25.00"],
    ["90071992547409930.000001", "$90,071,992,547,409,930.000001"],
  ])("formats %s as %s", (value, text) => {
    expect(formatUsd(value)).toBe(text);
  });
});

describe("placesOf", () => {
  it("is two, or as many as the smallest amount needs", () => {
    expect(placesOf([])).toBe(2);
    expect(placesOf(["5.000000", "1.500000"])).toBe(2);
    expect(placesOf(["5.000000", "-0.000120"])).toBe(5);
  });
});

describe("formatRoughUsd", () => {
  it.each([
    ["4.999988", "$4.99"],
    ["0.000012", "<$0.01"],
    ["0.000000", "$0.00"],
    ["1234.500000", "$1,234.50"],
  ])("formats %s as %s", (value, text) => {
    expect(formatRoughUsd(value)).toBe(text);
  });
});
