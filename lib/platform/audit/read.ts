import "server-only";

import { query } from "@/lib/platform/db/client";
import { toListPage } from "@/lib/platform/http/list-page";
import type { AuditEvent, EventPage, ListEvents } from "./schema";

type EventRow = Pick<AuditEvent, "id" | "action" | "details" | "request_id"> & {
  actor_kind: AuditEvent["actor"]["kind"];
  actor_id: string;
  actor_name: string | null;
  object_id: string;
  object_name: string | null;
  created_at: Date;
};

/** The account's events, newest first. The caller checks who may see them. */
export async function listEvents(
  { account }: { account: { id: string } },
  input: ListEvents,
): Promise<EventPage> {
  const rows = await query<EventRow>(
    "audit_list",
    `SELECT e.id, e.actor_kind, e.actor_id, e.action, e.object_id, e.details, e.request_id, e.created_at,
            CASE WHEN e.actor_kind = 'system' THEN e.actor_id ELSE actor.name END AS actor_name,
            object.name AS object_name
       FROM audit_event e
            LEFT JOIN audit_subject actor ON actor.id = e.actor_id AND actor.account_id = e.account_id
            LEFT JOIN audit_subject object ON object.id = e.object_id AND object.account_id = e.account_id
      WHERE e.account_id = $1 AND ($2::text IS NULL OR e.id < $2)
      ORDER BY e.id DESC LIMIT $3`,
    [account.id, input.after ?? null, input.limit + 1],
  );
  return toListPage(rows, input.limit, toEvent);
}

function toEvent(row: EventRow): AuditEvent {
  return {
    id: row.id,
    object: "audit_event",
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    target: { id: row.object_id, name: row.object_name },
    details: row.details,
    request_id: row.request_id,
    created_at: row.created_at.toISOString(),
  };
}
