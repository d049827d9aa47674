import "server-only";

import { notFound } from "@/lib/errors";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { accountPurge } from "@/lib/platform/db/account-purge";
import { query } from "@/lib/platform/db/client";
import { drainInBatches } from "@/lib/platform/db/drain-in-batches";
import { env } from "@/lib/platform/env";
import {
  READABLE_BY_KEY_SQL,
  READABLE_BY_MEMBER_SQL,
  readableByMember,
  requireReadable,
} from "../read/stored";
import { COMPLETION_ID, type DeletedCompletion } from "../stored-schema";
import { forgetStoredBytes } from "./storage";

/** One statement's share; an answer with its messages may be megabytes. */
const DELETE_BATCH = 500;

/** Deletes a stored answer with its messages and evidence. Throws not_found for one the caller may not read. */
export async function deleteStored(
  ctx: KeyContext | MemberContext,
  id: string,
): Promise<DeletedCompletion> {
  if (isOfKey(ctx)) {
    await requireReadable(ctx, id, {
      name: "chat_delete_stored",
      sql: `DELETE FROM stored_completion WHERE ${READABLE_BY_KEY_SQL} AND id = $5 RETURNING id`,
    });
  } else {
    await deleteOfMember(ctx, id);
  }
  forgetStoredBytes(ctx.account.id);
  return { id, object: "chat.completion.deleted", deleted: true };
}

function isOfKey(ctx: KeyContext | MemberContext): ctx is KeyContext {
  return ctx.actor.kind === "key";
}

/** Throws the same error for an answer of another account or tied to another person. */
async function deleteOfMember(ctx: MemberContext, id: string): Promise<void> {
  const [row] = COMPLETION_ID.test(id)
    ? await query(
        "chat_delete_stored_of_member",
        `DELETE FROM stored_completion WHERE ${READABLE_BY_MEMBER_SQL} AND id = $3 RETURNING id`,
        [...readableByMember(ctx), id],
      )
    : [];
  if (!row) {
    throw notFound(
      "This stored answer no longer exists. Reload the page to see the current state.",
      "completion_id",
    );
  }
}

/**
 * Deletes stored answers older than the retention, of which 0 days keeps all, and those that can no longer be referred to.
 * Returns how many.
 */
export async function deleteExpiredCompletions({
  retentionDays = env.STORED_ANSWER_RETENTION_DAYS,
  batchSize = DELETE_BATCH,
} = {}): Promise<number> {
  const past = "created_at < now() - make_interval(hours => 24 * $2)";
  const stored =
    retentionDays === 0
      ? 0
      : await deleteWhere("chat_delete_expired", past, [batchSize, retentionDays]);
  return stored + (await deleteWhere("chat_delete_referable", "expires_at < now()", [batchSize]));
}

/** `values`: the size of a batch, and the other parameters of the condition. */
function deleteWhere(
  name: string,
  condition: string,
  values: [number, ...number[]],
): Promise<number> {
  return drainInBatches(values[0], async () => {
    const [row] = await query<{ count: number }>(
      name,
      `WITH gone AS (
         DELETE FROM stored_completion
          WHERE id IN (SELECT id FROM stored_completion WHERE ${condition} LIMIT $1) RETURNING id
       )
       SELECT count(*)::integer AS count FROM gone`,
      values,
    );
    return row?.count ?? 0;
  });
}

export const purgeAccountCompletions = accountPurge({
  chat_purge_account: "DELETE FROM stored_completion WHERE account_id = $1",
});
