import { describe, expect, it, vi } from "vitest";
import { newId } from "@/lib/id";
import { sumShortfalls } from "@/lib/money/billing/read/audit";
import type { KeyContext } from "@/lib/platform/auth/context";
import { db, query } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { call } from "@/lib/testing/api";
import {
  anyUsage,
  keyContext,
  lastUsage,
  makeKeyedAccount,
  readMoney,
  setBalance,
} from "@/lib/testing/factories";
import { chatCost, ingestCost, RATES } from "../rates";
import { credit } from "./credit";
import { placeHold, releaseExpiredHolds, renewHold } from "./hold";
import { settle } from "./settle";

const usage = anyUsage();

async function makeContext(): Promise<KeyContext & { key: string }> {
  const { ctx, keyId, key } = await makeKeyedAccount();
  return { ...keyContext(ctx, { id: keyId }), key };
}

/** A hold of 1,000 micro-dollars. Once its lease has ended, a sweep that any test left running may release it. */
async function admitWithLease(ctx: KeyContext, seconds: number) {
  const hold = await placeHold(ctx, 1000n);
  await query(
    "test_lease",
    "UPDATE hold SET lease_expires_at = now() + make_interval(secs => $2) WHERE id = $1",
    [hold.id, seconds],
  );
  return hold;
}

function next(ctx: KeyContext): KeyContext {
  return { ...ctx, requestId: newId("request") };
}

describe("holds", () => {
  it("reserve the worst case and settle to the cost, with a ledger entry and a usage record", async () => {
    const ctx = await makeContext();
    const hold = await placeHold(ctx, 1_000_000n);
    expect(await readMoney(ctx.account.id)).toMatchObject({
      balance: 5_000_000n,
      held: 1_000_000n,
    });
    expect(await settle({ ...hold, costMicros: 300_000n }, usage)).toBe(300_000n);
    expect(await readMoney(ctx.account.id)).toEqual({
      balance: 4_700_000n,
      held: 0n,
      ledgerSum: 4_700_000n,
      openHolds: 0n,
    });
    expect(await lastUsage(ctx.account.id)).toMatchObject({
      id: ctx.requestId,
      costMicros: 300_000n,
    });
  });

  it("are settled once", async () => {
    const ctx = await makeContext();
    const hold = await placeHold(ctx, 1000n);
    await settle({ ...hold, costMicros: 700n }, usage);
    expect(await settle({ ...hold, costMicros: 900n }, usage)).toBe(700n);
    expect((await readMoney(ctx.account.id)).balance).toBe(4_999_300n);
  });

  it("never charge more than the hold and the available balance cover", async () => {
    const ctx = await makeContext();
    const hold = await placeHold(ctx, 5_000_000n);
    const warn = vi.spyOn(log, "warn");
    expect(await settle({ ...hold, costMicros: 9_000_000n }, usage)).toBe(5_000_000n);
    expect(warn.mock.calls).toContainEqual([
      expect.objectContaining({ request_id: hold.id, shortfall_micros: 4_000_000 }),
      expect.stringContaining("bills more than the request was charged"),
    ]);
    warn.mockRestore();
    expect(await readMoney(ctx.account.id)).toMatchObject({ balance: 0n, held: 0n, ledgerSum: 0n });
    expect(await lastUsage(ctx.account.id)).toMatchObject({
      costMicros: 5_000_000n,
      shortfallMicros: 4_000_000n,
    });
    const shortfalls = await sumShortfalls({ accountId: ctx.account.id });
    expect(shortfalls).toEqual({ requests: 1, amount: 4_000_000n });
  });

  it("admit exactly as many parallel requests as the balance covers", async () => {
    const ctx = await makeContext();
    await setBalance(ctx.account.id, 1);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => placeHold(next(ctx), 100_000n)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(40);
    expect(refused[0]?.reason).toMatchObject({
      status: 402,
      code: "balance_reserved",
      isFinal: true,
    });
    expect(await readMoney(ctx.account.id)).toMatchObject({
      balance: 1_000_000n,
      held: 1_000_000n,
      openHolds: 1_000_000n,
    });
  });

  it("are released when their lease expires, and a late settlement is still charged once", async () => {
    const ctx = await makeContext();
    const hold = await admitWithLease(ctx, -1);
    await releaseExpiredHolds();
    await expect
      .poll(() => readMoney(ctx.account.id))
      .toMatchObject({ balance: 5_000_000n, held: 0n });
    expect(await settle({ ...hold, costMicros: 700n }, usage)).toBe(700n);
    expect(await settle({ ...hold, costMicros: 700n }, usage)).toBe(700n);
    expect(await readMoney(ctx.account.id)).toEqual({
      balance: 4_999_300n,
      held: 0n,
      ledgerSum: 4_999_300n,
      openHolds: 0n,
    });
  });

  it("stay open while their request is running", async () => {
    const ctx = await makeContext();
    const hold = await admitWithLease(ctx, 60);
    await renewHold(hold.id);
    const [row] = await query<{ is_renewed: boolean }>(
      "test_renewed",
      "SELECT lease_expires_at > now() + interval '120 seconds' AS is_renewed FROM hold WHERE id = $1",
      [hold.id],
    );
    expect(row?.is_renewed).toBe(true);
    await releaseExpiredHolds();
    expect(await readMoney(ctx.account.id)).toMatchObject({ held: 1000n });
  });

  it("reject a negative cost", async () => {
    const ctx = await makeContext();
    const hold = await placeHold(ctx, 1000n);
    await expect(settle({ ...hold, costMicros: -1n }, usage)).rejects.toThrow();
    expect(await readMoney(ctx.account.id)).toMatchObject({ balance: 5_000_000n, held: 1000n });
  });

  it("respect the key's monthly budget", async () => {
    const ctx = await makeContext();
    await db().apiKey.updateMany({
      where: { id: ctx.actor.id },
      data: { monthlyBudgetMicros: 1000n },
    });
    const hold = await placeHold(next(ctx), 800n);
    await expect(placeHold(next(ctx), 300n)).rejects.toMatchObject({
      status: 402,
      code: "key_budget_exceeded",
    });
    await settle({ ...hold, costMicros: 100n }, usage);
    await expect(placeHold(next(ctx), 900n)).resolves.toBeDefined();
    await expect(placeHold(next(ctx), 1n)).rejects.toMatchObject({ code: "key_budget_exceeded" });
  });

  it("are rejected for a key that was revoked after authentication or belongs to another account", async () => {
    const ctx = await makeContext();
    const other = await makeContext();
    await expect(placeHold({ ...next(ctx), account: other.account }, 1n)).rejects.toMatchObject({
      code: "invalid_api_key",
    });
    await db().apiKey.updateMany({ where: { id: ctx.actor.id }, data: { revokedAt: new Date() } });
    await expect(placeHold(next(ctx), 1n)).rejects.toMatchObject({ code: "invalid_api_key" });
    expect(await readMoney(ctx.account.id)).toMatchObject({ held: 0n });
  });

  it("are settled once under concurrent settlements", async () => {
    const ctx = await makeContext();
    const holds = await Promise.all([1, 2, 3].map(() => placeHold(next(ctx), 1000n)));
    const charges = await Promise.all(
      [...holds, ...holds, ...holds].map((hold) => settle({ ...hold, costMicros: 400n }, usage)),
    );
    // Later settlements return the first charge.
    expect(charges.filter((charged) => charged === 400n).length).toBeGreaterThanOrEqual(3);
    expect(await readMoney(ctx.account.id)).toMatchObject({ balance: 4_998_800n, held: 0n });
  });

  it("are settled even if another in the batch can't be recorded", async () => {
    const ctx = await makeContext();
    const holds = await Promise.all([1, 2, 3].map(() => placeHold(next(ctx), 1000n)));
    const outcomes = await Promise.allSettled(
      holds.map((hold, index) =>
        settle({ ...hold, costMicros: 10n }, index === 1 ? { ...usage, latencyMs: 1e12 } : usage),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await readMoney(ctx.account.id)).toMatchObject({ balance: 4_999_980n, held: 1000n });
  });

  it("report the max_tokens that would fit, and admit that request", async () => {
    const ctx = await makeContext();
    await setBalance(ctx.account.id, 0.0001);
    const ask = (max_tokens: number) =>
      call("POST", "/v1/chat/completions", {
        key: ctx.key,
        body: {
          model: "footnote-extract-1",
          messages: [{ role: "user", content: "What are the signs of a stroke?" }],
          citations: { enabled: true, top_k: 1 },
          max_tokens,
        },
      });
    const { status, json } = await ask(4000);
    expect(status).toBe(402);
    const fitting = json.error.max_tokens;
    expect(json.error).toMatchObject({
      available: "0.000100",
      message: expect.stringContaining(`max_tokens to ${fitting} `),
    });
    expect(await ask(fitting + 1)).toMatchObject({ status: 402 });
    expect(await ask(fitting)).toMatchObject({ status: 200 });
  });

  it("respond with 402 before any work when the balance is too low, with the missing amount", async () => {
    const ctx = await makeContext();
    await setBalance(ctx.account.id, 0);
    const body = {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "Hi" }],
      max_tokens: 100,
    };
    const { status, json, headers } = await call("POST", "/v1/chat/completions", {
      key: ctx.key,
      body,
    });
    expect(status).toBe(402);
    expect(json.error).toMatchObject({
      code: "insufficient_balance",
      type: "billing_error",
      balance: "0.000000",
      required: expect.stringMatching(/^0\.0000\d\d$/),
      topup_url: expect.stringMatching(/\/billing$/),
    });
    expect(headers.get("x-should-retry")).toBe("false");
    expect(await db().usageRecord.count({ where: { accountId: ctx.account.id } })).toBe(0);
  });
});

describe("the ledger", () => {
  it("credits a reference once", async () => {
    const { account } = await makeContext();
    const entry = {
      kind: "adjustment" as const,
      amountMicros: 2_000_000n,
      reference: newId("ledgerEntry"),
    };
    expect(await credit(account.id, entry)).toBe(true);
    expect(await credit(account.id, entry)).toBe(false);
    expect((await readMoney(account.id)).balance).toBe(7_000_000n);
  });

  it("is append-only, and the balance can't fall below the holds", async () => {
    const ctx = await makeContext();
    await placeHold(ctx, 4_000_000n);
    await expect(
      db().ledgerEntry.deleteMany({ where: { accountId: ctx.account.id } }),
    ).rejects.toThrow();
    await expect(
      db().ledgerEntry.updateMany({
        where: { accountId: ctx.account.id },
        data: { amountMicros: 1n },
      }),
    ).rejects.toThrow();
    await expect(
      db().account.update({ where: { id: ctx.account.id }, data: { balanceMicros: 1n } }),
    ).rejects.toThrow();
  });
});

describe("rates", () => {
  it("round a completion up once, to the next micro-dollar", () => {
    const rates = { core: { input: 0.02, output: 0.08 }, grounded: { input: 0.05, output: 0.2 } };
    expect(chatCost(rates, "core", { prompt: 1, completion: 0 })).toBe(1n);
    expect(chatCost(rates, "core", { prompt: 100, completion: 100 })).toBe(10n);
    expect(chatCost(rates, "grounded", { prompt: 1_000_000, completion: 1_000_000 })).toBe(
      250_000n,
    );
    expect(chatCost(RATES.embedded, "core", { prompt: 0, completion: 0 })).toBe(0n);
  });

  it("charge ingestion per thousand tokens, rounded up", () => {
    expect(ingestCost(1000)).toBe(20n);
    expect(ingestCost(1)).toBe(1n);
    expect(ingestCost(1_000_000)).toBe(20_000n);
  });
});
