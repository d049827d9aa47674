import { describe, expect, it } from "vitest";
import type { UsageSummary } from "@/lib/money/usage/schema";
import { fromFirstUse } from "./usage-charts";

const DAYS = 30;

/** A summary of 30 days, of which these have a request or a refused one. */
function summaryOf(used: Record<number, "begun" | "refused">): UsageSummary {
  const buckets = Array.from({ length: DAYS }, (_, index) => ({
    at: `2026-11-${index + 1}`,
    ...{ prompt_tokens: 0, completion_tokens: 0, cost_usd: "0", failed_requests: 0 },
    requests: used[index] === "begun" ? 1 : 0,
    refused_requests: used[index] === "refused" ? 1 : 0,
  }));
  const points = buckets.map(({ requests }) => ({ requests, tokens: 0, cost_usd: "0" }));
  return {
    buckets,
    groups: [{ id: "a", name: "A", points }],
  } as Partial<UsageSummary> as UsageSummary;
}

describe("fromFirstUse", () => {
  it("begins with the first day that has a request, also a refused one", () => {
    const { buckets, groups } = fromFirstUse(summaryOf({ 10: "refused", 20: "begun" }));
    expect(buckets[0]?.at).toBe("2026-11-11");
    expect(groups[0]?.points).toHaveLength(buckets.length);
  });

  it("keeps the last week of a key that is new or unused", () => {
    expect(fromFirstUse(summaryOf({ 29: "begun" })).buckets).toHaveLength(7);
    expect(fromFirstUse(summaryOf({})).buckets).toHaveLength(7);
    expect(fromFirstUse(summaryOf({ 0: "begun" })).buckets).toHaveLength(DAYS);
  });
});
