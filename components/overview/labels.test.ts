import { describe, expect, it } from "vitest";
import { formatRunway, formatSpend } from "./labels";

describe("formatRunway", () => {
  it.each([
    [null, "0.000000", "No spend in the last 7 days"],
    [0, "12.500000", "Runway: empty at $12.50 a week"],
    [0.2, "40.123456", "Runway: less than a day at $40.12 a week"],
    [1.9, "3.000000", "Runway: about 1 day at $3.00 a week"],
    [50.4, "0.690000", "Runway: about 50 days at $0.69 a week"],
    [730, "0.047000", "Runway: more than 2 years at $0.04 a week"],
    [6.3e16, "0.001077", "Runway: more than 2 years at under $0.01 a week"],
  ])("says %s days at %s as %s", (days, spend, words) => {
    expect(formatRunway(days, spend)).toBe(words);
  });
});

describe("formatSpend", () => {
  it.each([
    ["0.000000", "$0.00"],
    ["0.001077", "Under $0.01"],
    ["4.999988", "$4.99"],
  ])("says %s as %s", (usd, words) => {
    expect(formatSpend(usd)).toBe(words);
  });
});
