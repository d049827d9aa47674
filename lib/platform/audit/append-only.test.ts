import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db, execute, transaction } from "@/lib/platform/db/client";
import { makeAccount } from "@/lib/testing/factories";
import { deleteExpiredEvents, recordEvent } from "./write";

const DAY_MS = 86_400_000;

/** Creates an account with an event for each age in days, oldest first; each has a different target. */
async function accountWithEvents(ages: number[]) {
  const { id: accountId, ctx } = await makeAccount();
  const ids = ages.map(() => newId("key"));
  for (const id of ids) {
    await transaction((tx) =>
      recordEvent(tx, ctx, { action: "key.created", target: { id, name: `name of ${id}` } }),
    );
  }
  const events = await db().auditEvent.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  // Events can't be updated, so backdated copies are inserted instead.
  const older = events.map(({ details, ...event }, index) => ({
    ...event,
    id: newId("auditEvent"),
    details: details ?? {},
    createdAt: new Date(Date.now() - (ages[index] ?? 0) * DAY_MS),
  }));
  await db().auditEvent.createMany({ data: older });
  return {
    accountId,
    ctx,
    ids,
    aged: older.map(({ id }) => id),
    fresh: events.map(({ id }) => id),
  };
}

async function idsOf(accountId: string) {
  const events = await db().auditEvent.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  return events.map(({ id }) => id);
}

describe("audit events", () => {
  it("can't be updated, deleted or truncated, even with direct SQL", async () => {
    const { accountId } = await accountWithEvents([500]);
    const before = await db().auditEvent.findMany({ where: { accountId } });
    for (const statement of [
      `UPDATE audit_event SET actor_id = 'mem_other' WHERE account_id = '${accountId}'`,
      `UPDATE audit_event SET created_at = now() - interval '9 years' WHERE account_id = '${accountId}'`,
      `DELETE FROM audit_event WHERE account_id = '${accountId}'`,
      "TRUNCATE audit_event",
      `DELETE FROM account WHERE id = '${accountId}'`,
      "SELECT delete_expired_audit_events(0, 100)",
    ]) {
      await expect(execute(statement), statement).rejects.toThrow();
    }
    expect(await db().auditEvent.findMany({ where: { accountId } })).toEqual(before);
  });

  it("are deleted in batches after the retention period, along with unreferenced names", async () => {
    const { accountId, ctx, ids, aged, fresh } = await accountWithEvents([500, 401, 399, 0]);
    const only = await soleEvent(accountId, ctx.actor.id);
    expect(await deleteExpiredEvents({ retentionDays: 0 })).toBe(0);
    expect(await idsOf(accountId)).toEqual([...fresh, ...aged, only.id].toSorted());
    expect(await deleteExpiredEvents({ retentionDays: 400, batchSize: 1 })).toBeGreaterThanOrEqual(
      3,
    );
    expect(await idsOf(accountId)).toEqual([...fresh, ...aged.slice(2)]);
    const names = await db().auditSubject.findMany({ where: { accountId } });
    expect(names.map(({ id }) => id).toSorted()).toEqual([ctx.actor.id, ...ids].toSorted());
    await expect(execute(`DELETE FROM audit_event WHERE id = '${fresh[0]}'`)).rejects.toThrow();
  });
});

/** Creates a 500-day-old event, the only one about its target. */
async function soleEvent(accountId: string, actorId: string) {
  const id = newId("key");
  await db().auditSubject.create({ data: { id, accountId, name: "gone" } });
  return db().auditEvent.create({
    data: {
      id: newId("auditEvent"),
      accountId,
      actorKind: "member",
      actorId,
      action: "key.revoked",
      objectId: id,
      createdAt: new Date(Date.now() - 500 * DAY_MS),
    },
  });
}
