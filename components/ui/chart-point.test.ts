import { expect, it } from "vitest";
import { formatPoint, formatTick, midnightsOf } from "./chart-point";

it("names days, hours, and the day at midnight", () => {
  expect(formatPoint("2026-11-30")).toBe("30 Nov");
  expect(formatPoint("2026-11-30T05:00Z")).toBe("30 Nov, 05:00");
  expect(formatTick("2026-11-30T05:00Z")).toBe("05:00");
  expect(formatTick("2026-11-30T00:00Z")).toBe("30 Nov");
});

it("marks midnights of hours over several days only", () => {
  const hours = (days: number) =>
    Array.from({ length: days * 24 }, (_, hour) => ({
      at: `${new Date(Date.UTC(2026, 10, 18, hour)).toISOString().slice(0, 16)}Z`,
    }));
  expect(midnightsOf(hours(7))).toHaveLength(7);
  expect(midnightsOf(hours(7))?.[1]).toBe("2026-11-19T00:00Z");
  expect(midnightsOf(hours(1))).toBeNull();
  expect(midnightsOf([{ at: "2026-11-30" }])).toBeNull();
});
