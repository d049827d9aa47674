import "server-only";

import { deleteStored } from "@/lib/answers/chat/write/delete-stored";
import type { KeyContext } from "@/lib/platform/auth/context";
import { getStoredTurn } from "../read";
import type { DeletedResponse } from "../response-schema";

/** Deletes a stored response with its turns and evidence. Throws not_found for one the key may not read. */
export async function deleteResponse(ctx: KeyContext, id: string): Promise<DeletedResponse> {
  const { completion } = await getStoredTurn(ctx, id);
  await deleteStored(ctx, completion.id);
  return { id, object: "response", deleted: true };
}
