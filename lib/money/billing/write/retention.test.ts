import { afterAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import type { KeyContext } from "@/lib/platform/auth/context";
import { db, query } from "@/lib/platform/db/client";
import { anyUsage, keyContext, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { type AuditDifference, audit } from "../read/audit";
import { type Hold, placeHold, releaseExpiredHolds } from "./hold";
import { deleteExpiredUsage } from "./retention";
import { settle } from "./settle";

const DAY_MS = 24 * 60 * 60 * 1000;
const usage = anyUsage();

async function makeContext(): Promise<KeyContext> {
  const { ctx, keyId } = await makeKeyedAccount();
  return keyContext(ctx, { id: keyId });
}

function next(ctx: KeyContext): KeyContext {
  return { ...ctx, requestId: newId("request") };
}

async function admitNext(ctx: KeyContext) {
  return placeHold(next(ctx), 1000n);
}

/** A request that was charged 700 micro-dollars the given number of days ago. */
async function chargeAgo(ctx: KeyContext, days: number) {
  const hold = await admitNext(ctx);
  await settle({ ...hold, costMicros: 700n }, usage);
  return backdate(hold, days);
}

/** Makes a hold and its usage record older. The ledger can't be backdated, and doesn't need to be. */
async function backdate(hold: Hold, days: number): Promise<Hold> {
  const { id } = hold;
  await query(
    "test_backdate_hold",
    `UPDATE hold SET created_at = created_at - make_interval(days => $2),
            closed_at = closed_at - make_interval(days => $2),
            lease_expires_at = lease_expires_at - make_interval(days => $2) WHERE id = $1`,
    [id, days],
  );
  await query(
    "test_backdate_usage",
    "UPDATE usage_record SET created_at = created_at - make_interval(days => $2) WHERE id = $1",
    [id, days],
  );
  return { ...hold, placedAt: new Date(hold.placedAt.getTime() - days * DAY_MS) };
}

/** Counts a request's remaining rows. */
async function rowsOf(id: string) {
  const [hold, record, entry] = await Promise.all([
    db().hold.count({ where: { id } }),
    db().usageRecord.count({ where: { id } }),
    db().ledgerEntry.count({ where: { reference: `usage:${id}` } }),
  ]);
  return { hold, record, entry };
}

/** Resets the watermarks, because other tests' audits expect every record. */
async function forgetSweeps(): Promise<void> {
  await query(
    "test_forget_sweeps",
    "UPDATE retention_watermark SET records_before = NULL, holds_before = NULL",
  );
}

afterAll(forgetSweeps);

async function differences(accountId: string): Promise<AuditDifference[]> {
  const reported: AuditDifference[] = [];
  await audit({ accountId }, (difference) => reported.push(difference));
  return reported;
}

describe("the usage retention sweep", () => {
  it("deletes expired records and never a ledger entry", async () => {
    const ctx = await makeContext();
    const old = await chargeAgo(ctx, 401);
    const young = await chargeAgo(ctx, 399);
    const before = await readMoney(ctx.account.id);
    expect((await deleteExpiredUsage()).records).toBeGreaterThanOrEqual(1);
    expect(await rowsOf(old.id)).toEqual({ hold: 0, record: 0, entry: 1 });
    expect(await rowsOf(young.id)).toEqual({ hold: 0, record: 1, entry: 1 });
    expect(await readMoney(ctx.account.id)).toEqual(before);
  });

  it("deletes holds closed more than 45 days ago, but no open ones", async () => {
    const ctx = await makeContext();
    const settled = await chargeAgo(ctx, 46);
    const recent = await chargeAgo(ctx, 44);
    const waiting = await admitNext(ctx);
    await query(
      "test_old_open",
      "UPDATE hold SET created_at = now() - interval '90 days' WHERE id = $1",
      [waiting.id],
    );
    await deleteExpiredUsage();
    expect(await rowsOf(settled.id)).toEqual({ hold: 0, record: 1, entry: 1 });
    expect(await rowsOf(recent.id)).toEqual({ hold: 1, record: 1, entry: 1 });
    expect(await rowsOf(waiting.id)).toMatchObject({ hold: 1 });
  });

  it("never deletes records with a retention of 0", async () => {
    const ctx = await makeContext();
    const ancient = await chargeAgo(ctx, 3000);
    expect((await deleteExpiredUsage({ retentionDays: 0 })).records).toBe(0);
    expect(await rowsOf(ancient.id)).toEqual({ hold: 0, record: 1, entry: 1 });
    await deleteExpiredUsage();
    expect(await rowsOf(ancient.id)).toMatchObject({ record: 0 });
  });

  it.each([
    ["its record", 2, { retentionDays: 1 }],
    ["its hold", 46, { retentionDays: 400 }],
    ["both", 500, { retentionDays: 400 }],
  ])("never charges a request twice after deleting %s", async (_what, days, options) => {
    const ctx = await makeContext();
    const hold = await chargeAgo(ctx, days);
    const before = await readMoney(ctx.account.id);
    await deleteExpiredUsage(options);
    // Settling again returns the recorded charge, if there is one.
    expect([0n, 700n]).toContain(await settle({ ...hold, costMicros: 700n }, usage));
    expect(await readMoney(ctx.account.id)).toEqual(before);
    expect(await rowsOf(hold.id)).toMatchObject({ hold: 0, entry: 1 });
  });

  it("prevents a later charge of a request that cost nothing", async () => {
    const ctx = await makeContext();
    const hold = await admitNext(ctx);
    await settle({ ...hold, costMicros: 0n }, usage);
    const old = await backdate(hold, 2);
    await deleteExpiredUsage({ retentionDays: 1 });
    expect(await settle({ ...old, costMicros: 700n }, usage)).toBe(0n);
    expect(await readMoney(ctx.account.id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("deletes the hold of an unsettled request, which is then free", async () => {
    const ctx = await makeContext();
    const hold = await admitNext(ctx);
    await query(
      "test_expire",
      "UPDATE hold SET lease_expires_at = now() - interval '1 second' WHERE id = $1",
      [hold.id],
    );
    await releaseExpiredHolds();
    const old = await backdate(hold, 46);
    await deleteExpiredUsage();
    expect(await rowsOf(hold.id)).toEqual({ hold: 0, record: 0, entry: 0 });
    expect(await settle({ ...old, costMicros: 700n }, usage)).toBe(0n);
    expect(await readMoney(ctx.account.id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("charges a concurrently settled request at most once", async () => {
    const ctx = await makeContext();
    const holds = await Promise.all(Array.from({ length: 20 }, () => admitNext(ctx)));
    for (const { id } of holds) {
      await query(
        "test_release",
        "UPDATE hold SET lease_expires_at = now() - interval '1 second' WHERE id = $1",
        [id],
      );
    }
    await releaseExpiredHolds();
    const old = await Promise.all(holds.map((hold) => backdate(hold, 46)));
    const [charges] = await Promise.all([
      Promise.all(old.map((hold) => settle({ ...hold, costMicros: 10n }, usage))),
      deleteExpiredUsage({ batchSize: 3 }),
    ]);
    const charged = charges.reduce((sum, charge) => sum + charge, 0n);
    expect(await readMoney(ctx.account.id)).toMatchObject({ balance: 5_000_000n - charged });
    for (const [index, { id }] of holds.entries()) {
      const isCharged = charges[index] === 10n ? 1 : 0;
      expect(await rowsOf(id)).toMatchObject({ record: isCharged, entry: isCharged });
    }
  });

  it("deletes in batches until nothing expired is left", async () => {
    const ctx = await makeContext();
    await query(
      "test_many_records",
      `INSERT INTO usage_record (id, account_id, key_id, endpoint, kind, cost_micros, rate, status, warning_codes,
                                 latency_ms, created_at)
       SELECT $1 || n, $2, 'key_x', '/v1/test', 'core', 0, '{}', 200, '{}', 1, now() - interval '401 days'
         FROM generate_series(1, 5003) AS n`,
      [`${ctx.requestId}_`, ctx.account.id],
    );
    expect((await deleteExpiredUsage()).records).toBeGreaterThanOrEqual(5003);
    expect(await db().usageRecord.count({ where: { accountId: ctx.account.id } })).toBe(0);
    expect(await deleteExpiredUsage()).toEqual({ records: 0, holds: 0 });
  });

  it("doesn't cause audit differences, even after the retention is extended", async () => {
    const ctx = await makeContext();
    const hold = await chargeAgo(ctx, 2);
    // The entry can't be backdated, so set the watermark as if the entry were old.
    await query(
      "test_mark",
      "UPDATE retention_watermark SET records_before = now() + interval '1 second'",
    );
    await deleteExpiredUsage({ retentionDays: 1 });
    expect(await rowsOf(hold.id)).toEqual({ hold: 0, record: 0, entry: 1 });
    expect(await differences(ctx.account.id)).toEqual([]);
    await deleteExpiredUsage({ retentionDays: 400 });
    expect(await differences(ctx.account.id)).toEqual([]);
    await forgetSweeps();
    expect(await differences(ctx.account.id)).toMatchObject([
      { check: "key_spent" },
      { check: "usage", subject: `usage:${hold.id}` },
    ]);
  });
});
