import { describe, expect, it } from "vitest";
import { formatDaysLeft } from "./labels";

describe("formatDaysLeft", () => {
  it.each([
    [null, "Not enough data yet"],
    [0, "Empty"],
    [0.2, "Less than a day"],
    [1.9, "About 1 day"],
    [50.4, "About 50 days"],
    [730, "More than 2 years"],
    [6.3e16, "More than 2 years"],
  ])("says %s as %s", (days, words) => {
    expect(formatDaysLeft(days)).toBe(words);
  });
});
