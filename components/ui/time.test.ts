import { describe, expect, it } from "vitest";
import { formatRelative } from "./time";

const MINUTE_MS = 60_000;

describe("formatRelative", () => {
  it.each([
    [0, "just now"],
    [-59_000, "just now"],
    [-MINUTE_MS, "1 minute ago"],
    [-119 * MINUTE_MS, "1 hour ago"],
    [-24 * 60 * MINUTE_MS, "yesterday"],
    [90 * 24 * 60 * MINUTE_MS, "in 3 months"],
    [-800 * 24 * 60 * MINUTE_MS, "2 years ago"],
  ])("formats %d ms as %s", (distanceMs, text) => {
    expect(formatRelative(distanceMs)).toBe(text);
  });
});
