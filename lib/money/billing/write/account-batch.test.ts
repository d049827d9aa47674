import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import {
  anyUsage,
  keyContext,
  makeKeyedAccount,
  readMoney,
  setBalance,
} from "@/lib/testing/factories";
import { placeHold } from "./hold";
import { settle } from "./settle";

const usage = anyUsage();

async function makeRequests() {
  const { id, ctx, keyId } = await makeKeyedAccount();
  await setBalance(id, 1);
  const key = keyContext(ctx, { id: keyId });
  return { id, next: () => ({ ...key, requestId: newId("request") }) };
}

describe("holds and settlements of an account that arrive together", () => {
  it("get an outcome each, and a hold can use what the settlements free", async () => {
    const { id, next } = await makeRequests();
    const first = await placeHold(next(), 600_000n);
    const second = await placeHold(next(), 400_000n);
    const [admitted, charged, refused, other] = await Promise.allSettled([
      placeHold(next(), 800_000n),
      settle({ ...first, costMicros: 100_000n }, usage),
      placeHold(next(), 900_000n),
      settle({ ...second, costMicros: 50_000n }, usage),
    ]);
    expect(admitted).toMatchObject({ value: { amountMicros: 800_000n } });
    expect(charged).toMatchObject({ value: 100_000n });
    expect(refused).toMatchObject({ reason: { code: "insufficient_balance" } });
    expect(other).toMatchObject({ value: 50_000n });
    expect(await readMoney(id)).toEqual({
      balance: 850_000n,
      held: 800_000n,
      ledgerSum: 850_000n,
      openHolds: 800_000n,
    });
  });

  it("fail alone", async () => {
    const { id, next } = await makeRequests();
    const request = next();
    const hold = await placeHold(request, 100_000n);
    const [repeated, charged, negative, admitted] = await Promise.allSettled([
      placeHold(request, 200_000n),
      settle({ ...hold, costMicros: 30_000n }, usage),
      settle({ ...hold, id: newId("request"), costMicros: -1n }, usage),
      placeHold(next(), 300_000n),
    ]);
    expect(repeated.status).toBe("rejected");
    expect(charged).toMatchObject({ value: 30_000n });
    expect(negative.status).toBe("rejected");
    expect(admitted.status).toBe("fulfilled");
    expect(await readMoney(id)).toEqual({
      balance: 970_000n,
      held: 300_000n,
      ledgerSum: 970_000n,
      openHolds: 300_000n,
    });
  });

  it("write nothing for an account that doesn't exist", async () => {
    const { next } = await makeRequests();
    const account = { id: newId("account") };
    const hold = await placeHold(next(), 100_000n);
    await expect(placeHold({ ...next(), account }, 1000n)).rejects.toMatchObject({
      code: "invalid_api_key",
    });
    expect(await settle({ ...hold, accountId: account.id, costMicros: 1000n }, usage)).toBe(0n);
    const where = { accountId: account.id };
    expect([await db().hold.count({ where }), await db().usageRecord.count({ where })]).toEqual([
      0, 0,
    ]);
  });
});
