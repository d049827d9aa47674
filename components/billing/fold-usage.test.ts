import { describe, expect, it } from "vitest";
import type { LedgerEntry } from "@/lib/money/billing/schema";
import { foldUsage } from "./fold-usage";

let count = 0;
function entry(day: string, kind: LedgerEntry["kind"] = "usage", amount = "-0.000500") {
  count += 1;
  return {
    ...{ id: `txn_${count}`, kind, amount_usd: amount, balance_after_usd: `${count}.000000` },
    ...{ created_at: `${day}T10:00:00.000Z`, description: null, payment: null, request: null },
    reference: `usage:req_${count}`,
  };
}
const names = (entries: LedgerEntry[]) =>
  foldUsage(entries).map((row) => ("entry" in row ? row.entry.kind : row.entries.length));

describe("foldUsage", () => {
  it("adds up a day's usage, with the balance after its newest entry", () => {
    const day = [
      entry("2026-11-23"),
      entry("2026-11-23"),
      entry("2026-11-23", "usage", "-1.250001"),
    ];
    const [row] = foldUsage(day);
    expect(row).toMatchObject({
      day: "2026-11-23",
      amount_usd: "-1.251001",
      balance_after_usd: day[0]?.balance_after_usd,
    });
  });

  it("keeps days apart, few entries as they are, and payments in their place", () => {
    const of = (day: string, times: number) => Array.from({ length: times }, () => entry(day));
    expect(names([...of("2026-11-23", 4), ...of("2026-11-22", 3)])).toEqual([4, 3]);
    expect(names(of("2026-11-23", 2))).toEqual(["usage", "usage"]);
    expect(
      names([
        ...of("2026-11-23", 3),
        entry("2026-11-23", "top_up", "5.000000"),
        ...of("2026-11-23", 3),
      ]),
    ).toEqual([3, "top_up", 3]);
  });
});
