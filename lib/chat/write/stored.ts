import "server-only";

import type { KeyContext, MemberContext } from "@/lib/auth/context";
import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import {
  READABLE_BY_KEY_SQL,
  READABLE_BY_MEMBER_SQL,
  readableByKey,
  readableByMember,
} from "../read/readable-by";
import { noSuchAnswer, STORED_COLUMNS, type StoredRow, toStored } from "../read/stored";
import {
  COMPLETION_ID,
  type DeletedCompletion,
  type StoredCompletion,
  type UpdateStored,
} from "../stored-schema";

/** Puts other metadata in place of a stored answer's. Throws not_found for any that the key may not see. */
export async function updateStored(
  ctx: KeyContext,
  { id, metadata }: UpdateStored & { id: string },
): Promise<StoredCompletion> {
  const [row] = COMPLETION_ID.test(id)
    ? await query<StoredRow>(
        "chat_update_stored",
        `UPDATE stored_completion SET metadata = $5::jsonb WHERE ${READABLE_BY_KEY_SQL} AND id = $4
         RETURNING ${STORED_COLUMNS}`,
        [...readableByKey(ctx), id, JSON.stringify(metadata ?? {})],
      )
    : [];
  if (!row) {
    throw noSuchAnswer();
  }
  return toStored(row);
}

/**
 * Deletes a stored answer with its messages and evidence, for a key or a member who may see it. Throws not_found, also
 * for one deleted before.
 */
export async function deleteStored(
  ctx: KeyContext | MemberContext,
  id: string,
): Promise<DeletedCompletion> {
  const [row] = COMPLETION_ID.test(id) ? await removeVisible(ctx, id) : [];
  if (!row) {
    throw isOfKey(ctx) ? noSuchAnswer() : noAnswerOfTheirs();
  }
  return { id: row.id, object: "chat.completion.deleted", deleted: true };
}

function removeVisible(ctx: KeyContext | MemberContext, id: string): Promise<{ id: string }[]> {
  return isOfKey(ctx)
    ? query(
        "chat_delete_stored",
        `DELETE FROM stored_completion WHERE ${READABLE_BY_KEY_SQL} AND id = $4 RETURNING id`,
        [...readableByKey(ctx), id],
      )
    : query(
        "chat_delete_stored_of_member",
        `DELETE FROM stored_completion WHERE ${READABLE_BY_MEMBER_SQL} AND id = $3 RETURNING id`,
        [...readableByMember(ctx), id],
      );
}

function isOfKey(ctx: KeyContext | MemberContext): ctx is KeyContext {
  return ctx.actor.kind === "key";
}

/** The same for an answer of another account, or tied to another person. */
function noAnswerOfTheirs(): AppError {
  return new AppError(
    "not_found",
    "There is no such stored answer any more. Reload the page to see what is kept.",
    { param: "completion_id" },
  );
}
