import { describe, expect, it } from "vitest";
import { findProblem, findThresholdProblem, formatCentsInput, parseCents } from "./amount";

const limits = { min_amount: 500, max_amount: 500_000 };

describe("parseCents", () => {
  it.each([
    ["25", 2500],
    ["25.", 2500],
    ["25.5", 2550],
    [" $1,250.50 ", 125_050],
    ["1,234,567", 123_456_700],
    ["0.07", 7],
  ])("reads %j as %d cents", (text, cents) => {
    expect(parseCents(text)).toBe(cents);
  });

  it.each(["", "abc", "-5", "1e3", "25.005", "1,25", "12,34.50", "0x10", "٢٥", "99999999999"])(
    "rejects %j",
    (text) => {
      expect(parseCents(text)).toBeNull();
    },
  );

  it("parses the output of formatCentsInput", () => {
    for (const cents of [500, 999, 125_050, 500_000]) {
      expect(parseCents(formatCentsInput(cents))).toBe(cents);
    }
  });
});

describe("findProblem", () => {
  it.each([
    ["", "Enter an amount."],
    ["many", "Enter an amount in dollars, such as 25 or 25.50."],
    ["4.99", "Add at least $5.00."],
    ["5,000.01", "Add at most $5,000.00 at a time."],
    ["5", null],
    ["5000", null],
  ])("says of %j: %j", (text, problem) => {
    expect(findProblem(text, limits)).toBe(problem);
  });
});

describe("findThresholdProblem", () => {
  it.each([
    ["", "Enter an amount in dollars, such as 25 or 25.50."],
    ["-3", "Enter an amount in dollars, such as 25 or 25.50."],
    ["0.001", "Enter an amount in dollars, such as 25 or 25.50."],
    ["0", "Enter more than $0.00."],
    ["100,000.01", "Enter at most $100,000.00."],
    ["0.01", null],
    ["100,000", null],
  ])("says of %j: %j", (text, problem) => {
    expect(findThresholdProblem(text)).toBe(problem);
  });
});
