import { expect, it } from "vitest";
import { formatPoint, formatTick } from "./chart-point";

it("names days, hours, and the day at midnight", () => {
  expect(formatPoint("2026-11-30")).toBe("30 Nov");
  expect(formatPoint("2026-11-30T05:00Z")).toBe("30 Nov, 05:00");
  expect(formatTick("2026-11-30T05:00Z")).toBe("05:00");
  expect(formatTick("2026-11-30T00:00Z")).toBe("30 Nov");
});
