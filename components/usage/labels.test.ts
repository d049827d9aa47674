import { describe, expect, it } from "vitest";
import { formatAxisUsd, formatDuration, formatOutcome, formatRange, formatShare } from "./labels";

describe("usage labels", () => {
  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1280, "1.28 s"],
    [12_345, "12.3 s"],
    [100_400, "100 s"],
  ])("say %d ms as %s", (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });

  it.each([
    [0, 0, "0%"],
    [1, 100_000, "<0.1%"],
    [4, 1000, "0.4%"],
    [1, 3, "33%"],
    [7, 7, "100%"],
  ])("say %d of %d as %s", (part, whole, words) => {
    expect(formatShare(part, whole)).toBe(words);
  });

  it.each([
    [200, null, "Succeeded"],
    [502, "upstream_error", "502 upstream_error"],
    [499, null, "499 client disconnected"],
    [422, null, "422 failed"],
  ])("say status %d with code %s as %s", (status, error_code, words) => {
    expect(formatOutcome({ status, error_code })).toBe(words);
  });

  it("format a date range, and a single day once", () => {
    expect(formatRange({ from: "2026-11-01", to: "2026-11-30" })).toBe("1 Nov 2026 to 30 Nov 2026");
    expect(formatRange({ from: "2026-11-01", to: "2026-11-01" })).toBe("1 Nov 2026");
  });

  it("format small amounts on an axis without rounding them to zero", () => {
    expect([0, 0.0004, 1234].map(formatAxisUsd)).toEqual(["$0", "$0.0004", "$1,230"]);
  });
});
