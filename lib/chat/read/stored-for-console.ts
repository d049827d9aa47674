import "server-only";

import type { MemberContext } from "@/lib/auth/context";
import { query } from "@/lib/db/client";
import { decodeJsonb } from "../jsonb";
import type { StoredForConsole, StoredMessage } from "../stored-schema";
import { READABLE_BY_MEMBER_SQL, readableByMember } from "./readable-by";
import { type StoredRow, toStored } from "./stored";

interface ConsoleRow extends StoredRow {
  is_shown: boolean;
  messages: unknown;
  created_at: Date;
}

/**
 * The stored answer of one of the account's requests, for its page; null when there is none. An answer tied to a
 * person is shown to that member alone; of any other, nothing but that it is there leaves the database.
 */
export async function readStoredOf(
  ctx: MemberContext,
  requestId: string,
): Promise<StoredForConsole | null> {
  const [row] = await query<ConsoleRow>(
    "chat_stored_of_request",
    `SELECT s.id, s.request_id, s.created_at, s.is_shown, u.cost_micros,
            CASE WHEN s.is_shown THEN s.metadata END AS metadata,
            CASE WHEN s.is_shown THEN s.messages END AS messages,
            CASE WHEN s.is_shown THEN s.response END AS response,
            CASE WHEN s.is_shown THEN s.evidence END AS evidence
       FROM (SELECT *, ${READABLE_BY_MEMBER_SQL} AS is_shown FROM stored_completion
              WHERE account_id = $1 AND request_id = $3 LIMIT 1) s
            LEFT JOIN usage_record u ON u.id = s.request_id AND u.account_id = $1`,
    [...readableByMember(ctx), requestId],
  );
  if (!row) {
    return null;
  }
  const storedAt = row.created_at.toISOString();
  return row.is_shown
    ? {
        access: "shown",
        completion: toStored(row),
        messages: decodeJsonb<StoredMessage[]>(row.messages),
        stored_at: storedAt,
      }
    : { access: "hidden", completion_id: row.id, stored_at: storedAt };
}
