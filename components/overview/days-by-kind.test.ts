import { describe, expect, it } from "vitest";
import { USAGE_KINDS } from "@/lib/money/usage/filter";
import { daysByKind, firstShownDay, refusedByDay } from "./kind-charts";

describe("daysByKind", () => {
  it("includes every day and kind, also across a daylight saving change", () => {
    const days = daysByKind({
      from: "2026-10-24",
      to: "2026-10-26",
      days: [{ day: "2026-10-25", kind: "search", requests: 3, cost_usd: "0.001500" }],
    });
    expect(days.map(({ day }) => day)).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
    expect(days.every(({ kinds }) => kinds.length === USAGE_KINDS.length)).toBe(true);
    expect(days[1]?.kinds[USAGE_KINDS.indexOf("search")]).toMatchObject({ requests: 3 });
    expect(days[1]?.kinds[USAGE_KINDS.indexOf("core")]).toEqual({ requests: 0, cost_usd: "0" });
  });
});

describe("firstShownDay", () => {
  const range = { from: "2026-10-25", to: "2026-11-23" };
  const day = (value: string) => ({ day: value, kind: "core", requests: 1, cost_usd: "0" });

  it("is a week ago for a new account, and the first day with usage for an older one", () => {
    expect(firstShownDay({ ...range, days: [] })).toBe("2026-11-17");
    expect(firstShownDay({ ...range, days: [day("2026-11-22")] })).toBe("2026-11-17");
    expect(firstShownDay({ ...range, days: [day("2026-11-22"), day("2026-11-02")] })).toBe(
      "2026-11-02",
    );
  });
});

describe("refusedByDay", () => {
  it("counts the requests of a day that no kind has", () => {
    const [first, second] = ["2026-11-22", "2026-11-23"];
    const trend = (day: string, requests: number) => ({
      ...{ day, requests, errors: 0, cost_usd: "0", p50_ms: null },
    });
    const use = (kind: string, requests: number) => ({ day: first, kind, requests, cost_usd: "0" });
    const refused = refusedByDay({
      trend: [trend(first, 9), trend(second, 2)],
      days: [use("core", 3), use("search", 4)],
    });
    expect([...refused]).toEqual([
      [first, 2],
      [second, 2],
    ]);
  });
});
