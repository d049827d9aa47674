import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { query } from "@/lib/db";
import { noSuchAnswer, STORED_COLUMNS, type StoredRow, toStored } from "../read/stored";
import { VISIBLE, visibleTo } from "../read/visible";
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
        `UPDATE stored_completion SET metadata = $5::jsonb WHERE ${VISIBLE} AND id = $4
         RETURNING ${STORED_COLUMNS}`,
        [...visibleTo(ctx), id, JSON.stringify(metadata ?? {})],
      )
    : [];
  if (!row) {
    throw noSuchAnswer();
  }
  return toStored(row);
}

/** Deletes a stored answer with its messages and evidence. Throws not_found, also for one deleted before. */
export async function deleteStored(ctx: KeyContext, id: string): Promise<DeletedCompletion> {
  const [row] = COMPLETION_ID.test(id)
    ? await query<{ id: string }>(
        "chat_delete_stored",
        `DELETE FROM stored_completion WHERE ${VISIBLE} AND id = $4 RETURNING id`,
        [...visibleTo(ctx), id],
      )
    : [];
  if (!row) {
    throw noSuchAnswer();
  }
  return { id: row.id, object: "chat.completion.deleted", deleted: true };
}
