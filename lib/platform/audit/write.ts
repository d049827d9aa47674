import "server-only";

import { newId } from "@/lib/id";
import { accountPurge } from "@/lib/platform/db/account-purge";
import { query, type Session } from "@/lib/platform/db/client";
import { drainInBatches } from "@/lib/platform/db/drain-in-batches";
import { env } from "@/lib/platform/env";
import type { Action, EventDetails } from "./schema";

/** Any `Context` is one, and so are actors outside a request. */
export interface EventAuthor {
  account: { id: string };
  actor:
    | { kind: "member"; id: string; email: string; name: string | null }
    | { kind: "key"; id: string }
    | { kind: "system"; job: string };
  requestId: string | null;
}

interface AuditEvent {
  action: Action;
  /** Its name is stored separately, so that it can be deleted. */
  target: { id: string; name?: string | null };
  details?: EventDetails;
}

/** Records an event in the transaction of the change. Events hold ids; names are stored separately. */
export async function recordEvent(
  tx: Session,
  { account, actor, requestId }: EventAuthor,
  { action, target, details = {} }: AuditEvent,
): Promise<void> {
  // By id: a statement can't write a row twice, and the actor may also be the target.
  const names = new Map<string, string>();
  if (actor.kind === "member") {
    names.set(actor.id, actor.name ?? actor.email);
  }
  if (target.name) {
    names.set(target.id, target.name);
  }
  await tx.query(
    "audit_record",
    `WITH named AS (
       INSERT INTO audit_subject (id, account_id, name)
       SELECT n.id, $2, n.name FROM unnest($9::text[], $10::text[]) AS n (id, name) ORDER BY n.id
       ON CONFLICT (id, account_id) DO UPDATE SET name = excluded.name WHERE audit_subject.name <> excluded.name)
     INSERT INTO audit_event (id, account_id, actor_kind, actor_id, action, object_id, details, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      newId("auditEvent"),
      account.id,
      actor.kind,
      actor.kind === "system" ? actor.job : actor.id,
      action,
      target.id,
      JSON.stringify(details),
      requestId,
      [...names.keys()],
      [...names.values()],
    ],
  );
}

/** Deletes the names in the account's events; the events and their ids stay. */
export const anonymizeActors = accountPurge({
  audit_delete_subjects: "DELETE FROM audit_subject WHERE account_id = $1",
});

/** Deletes events older than the retention. Returns how many; 0 days keeps all. */
export async function deleteExpiredEvents({
  retentionDays = env.AUDIT_RETENTION_DAYS,
  batchSize = 5000,
} = {}): Promise<number> {
  if (retentionDays === 0) {
    return 0;
  }
  return drainInBatches(batchSize, async () => {
    const [row] = await query<{ count: number }>(
      "audit_delete_expired",
      "SELECT delete_expired_audit_events($1, $2) AS count",
      [retentionDays, batchSize],
    );
    return row?.count ?? 0;
  });
}
