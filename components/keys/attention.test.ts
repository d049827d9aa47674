import { describe, expect, it } from "vitest";
import type { Key } from "@/lib/money/keys/schema";
import { budgetShare, noticesOf } from "./attention";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const quiet = {
  status: "usable" as const,
  expires_at: null,
  last_used_at: "2026-11-22T12:00:00Z",
  created_at: "2026-01-01T00:00:00Z",
  monthly_budget_usd: null as string | null,
  month_spend_usd: "3.000000",
  replaced_secrets: [],
};
const labels = (change: Partial<Key>) =>
  noticesOf({ ...quiet, ...change } as Key, NOW).map(({ label }) => label);

describe("noticesOf", () => {
  it("is silent about a key in use", () => {
    expect(labels({})).toEqual([]);
  });

  it("counts the days until a key expires, from two weeks before", () => {
    expect(labels({ expires_at: "2026-12-08T12:00:00Z" })).toEqual([]);
    expect(labels({ expires_at: "2026-12-07T12:00:00Z" })).toEqual(["Expires in 14 days"]);
    expect(labels({ expires_at: "2026-11-23T15:00:00Z" })).toEqual(["Expires within a day"]);
  });

  it("warns of a budget from 80% on", () => {
    expect(labels({ monthly_budget_usd: "3.800000" })).toEqual([]);
    expect(labels({ monthly_budget_usd: "3.750000" })).toEqual(["80% of budget used"]);
    expect(labels({ monthly_budget_usd: "3.000000" })).toEqual(["Budget used up"]);
    expect(budgetShare({ monthly_budget_usd: null, month_spend_usd: "1" })).toBeNull();
  });

  it("reports a key that nothing uses, giving a new one two weeks", () => {
    expect(labels({ last_used_at: "2026-08-01T00:00:00Z" })).toEqual(["Unused for 114 days"]);
    expect(labels({ last_used_at: null, created_at: "2026-11-10T00:00:00Z" })).toEqual([]);
    expect(labels({ last_used_at: null, created_at: "2026-11-09T00:00:00Z" })).toEqual([
      "Never used",
    ]);
  });

  it("reports a replaced secret that is still used", () => {
    const secret = { display: "footnote_live_…a1B2", expires_at: "2026-11-24T00:00:00Z" };
    expect(labels({ replaced_secrets: [{ ...secret, last_used_at: null }] })).toEqual([]);
    expect(
      labels({ replaced_secrets: [{ ...secret, last_used_at: "2026-11-23T11:00:00Z" }] }),
    ).toEqual(["Old secret in use"]);
  });

  it("has nothing to say about a key that has ended", () => {
    expect(labels({ status: "revoked", last_used_at: null })).toEqual([]);
  });
});
