import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { anyUsage, keyContext, makeAccount, makeKeyedAccount } from "@/lib/testing/factories";
import { ListLedger } from "../schema";
import { credit } from "../write/credit";
import { placeHold } from "../write/hold";
import { settle } from "../write/settle";
import { listLedger } from "./balance";

function adjust(accountId: string, amountMicros: bigint) {
  return credit(accountId, { kind: "adjustment", amountMicros, reference: newId("ledgerEntry") });
}

describe("the ledger's pages", () => {
  it("show each entry with the balance after it, newest first", async () => {
    const { id, ctx, keyId } = await makeKeyedAccount();
    const hold = await placeHold(keyContext(ctx, { id: keyId }), 1000n);
    await settle({ ...hold, costMicros: 300n }, anyUsage());
    await credit(id, { kind: "top_up", amountMicros: 10_000_000n, reference: newId("request") });
    const page = await listLedger(ctx, ListLedger.parse({}));
    expect(page).toMatchObject({
      data: [
        { kind: "top_up", amount_usd: "10.000000", balance_after_usd: "14.999700" },
        { kind: "usage", amount_usd: "-0.000300", balance_after_usd: "4.999700" },
        { kind: "grant", amount_usd: "5.000000", balance_after_usd: "5.000000" },
      ],
      has_more: false,
      next_cursor: null,
    });
    expect(page.data[1]).toMatchObject({
      id: expect.stringMatching(/^txn_/),
      reference: `usage:${hold.id}`,
      description: null,
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it("stay correct when entries arrive between pages", async () => {
    const { id, ctx } = await makeAccount();
    const amounts = Array.from({ length: 22 }, (_, index) => BigInt((index * 7919) % 1000) - 300n);
    for (const amount of amounts) {
      await adjust(id, amount);
    }
    let balance = 5_000_000n;
    const expected = [
      "5000000",
      ...amounts.map((amount) => {
        balance += amount;
        return String(balance);
      }),
    ].toReversed();
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await listLedger(ctx, ListLedger.parse({ after, limit: 5 }));
      seen.push(
        ...page.data.map((entry) =>
          String(BigInt(entry.balance_after_usd?.replace(".", "") ?? -1)),
        ),
      );
      expect(page.data).toHaveLength(Math.min(5, 23 - seen.length + page.data.length));
      after = page.next_cursor ?? undefined;
      await adjust(id, 1234n);
    } while (after);
    expect(seen).toEqual(expected);
  });

  it("show only the account's entries for any cursor", async () => {
    const { ctx } = await makeAccount();
    const other = await makeAccount();
    const [foreign] = (await listLedger(other.ctx, ListLedger.parse({}))).data;
    const page = await listLedger(ctx, ListLedger.parse({ after: foreign?.id }));
    expect(page.data).toMatchObject([{ balance_after_usd: "5.000000" }]);
    expect(page.data[0]?.id).not.toBe(foreign?.id);
    expect(ListLedger.safeParse({ after: "!" }).success).toBe(false);
  });

  it("contain at most 100 entries", () => {
    expect(ListLedger.safeParse({ limit: 101 }).success).toBe(false);
    expect(ListLedger.safeParse({ limit: 0 }).success).toBe(false);
  });
});
