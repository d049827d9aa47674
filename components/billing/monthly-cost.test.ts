import { describe, expect, it } from "vitest";
import { monthlyCost, toCount } from "./monthly-cost";

const rates = { input_usd_per_million: "0.1", output_usd_per_million: "0.2" };

describe("a month's cost", () => {
  it("rounds each answer up to a micro-dollar, as charges are", () => {
    const use = { answers: 1000, promptTokens: 1, completionTokens: 1 };
    expect(monthlyCost(rates, use)).toBe(0.001);
    expect(monthlyCost(rates, { ...use, promptTokens: 10 })).toBe(0.002);
  });

  it("doesn't round up what is whole but for binary fractions", () => {
    expect(monthlyCost(rates, { answers: 1, promptTokens: 8, completionTokens: 1 })).toBe(1e-6);
    expect(monthlyCost(rates, { answers: 1, promptTokens: 10, completionTokens: 10 })).toBe(3e-6);
  });

  it("is nothing without answers or tokens", () => {
    expect(monthlyCost(rates, { answers: 0, promptTokens: 9, completionTokens: 9 })).toBe(0);
    expect(monthlyCost(rates, { answers: 9, promptTokens: 0, completionTokens: 0 })).toBe(0);
  });
});

describe("a count that was typed", () => {
  it.each([
    ["50,000", 50_000],
    [" 1 200 ", 1200],
    ["12.5", 12],
    ["-3", 0],
    ["1e9", 1],
    ["", 0],
    ["many", 0],
    ["9".repeat(400), 1_000_000_000],
  ])("reads %j as a whole number within bounds", (text, count) => {
    expect(toCount(text)).toBe(count);
  });
});
