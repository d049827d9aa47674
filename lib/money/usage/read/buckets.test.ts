import { describe, expect, it } from "vitest";
import { bucketStarts, rankGroups } from "./buckets";

const NOW = new Date("2026-11-23T02:30:00Z");

describe("bucketStarts", () => {
  it("has every day of a range", () => {
    const range = { from: "2026-10-24", to: "2026-10-26", interval: "day" } as const;
    expect(bucketStarts(range, NOW)).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
  });

  it("has every hour up to the present one", () => {
    const range = { from: "2026-11-22", to: "2026-11-23", interval: "hour" } as const;
    const starts = bucketStarts(range, NOW);
    expect(starts).toHaveLength(27);
    expect(starts.at(-1)).toBe("2026-11-23T02:00Z");
  });
});

describe("rankGroups", () => {
  it("keeps the five largest and adds the others up", () => {
    const rows = ["a", "b", "c", "d", "e", "f", "g"].map((id, index) => ({
      id,
      at: "2026-11-23",
      requests: index + 1,
      tokens: 10,
      cost_micros: "5",
    }));
    const groups = rankGroups(rows, ["2026-11-22", "2026-11-23"]);
    expect(groups.map(({ id }) => id)).toEqual(["g", "f", "e", "d", "c", null]);
    expect(groups.at(-1)?.points).toEqual([
      { requests: 0, tokens: 0, cost_usd: "0.000000" },
      { requests: 3, tokens: 20, cost_usd: "0.000010" },
    ]);
  });
});
