import { describe, expect, it } from "vitest";
import { formatPoint, formatTick, ticksOf } from "./chart-point";

it("names days, hours, and the day at midnight", () => {
  expect(formatPoint("2026-11-30")).toBe("30 Nov");
  expect(formatPoint("2026-11-30T05:00Z")).toBe("30 Nov, 05:00");
  expect(formatTick("2026-11-30T05:00Z")).toBe("05:00");
  expect(formatTick("2026-11-30T00:00Z")).toBe("30 Nov");
});

describe("ticksOf", () => {
  const marked = (count: number, step: number) =>
    ticksOf(
      Array.from({ length: count }, (_, index) => {
        const at = new Date(Date.UTC(2026, 10, 18, index * step)).toISOString();
        return { at: step === 24 ? at.slice(0, 10) : `${at.slice(0, 16)}Z` };
      }),
    ).map(formatTick);

  it("marks up to five days, as far from both ends", () => {
    expect(marked(30, 24)).toEqual(["20 Nov", "26 Nov", "2 Dec", "8 Dec", "14 Dec"]);
    expect(marked(7, 24)).toEqual(["18 Nov", "20 Nov", "22 Nov", "24 Nov"]);
    expect(marked(3, 24)).toEqual(["18 Nov", "19 Nov", "20 Nov"]);
    expect(marked(1, 24)).toEqual(["18 Nov"]);
  });

  it("marks hours of a day, and midnights of several days", () => {
    expect(marked(24, 1)).toEqual(["18 Nov", "06:00", "12:00", "18:00"]);
    expect(marked(24 * 7, 1)).toEqual(["18 Nov", "20 Nov", "22 Nov", "24 Nov"]);
  });
});
