import { session } from "@/lib/auth/session-gate";
import { CompletionParams } from "@/lib/chat/stored-schema";
import { deleteStored } from "@/lib/chat/write/delete-stored";
import { onlyDelete } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyDelete({
  gate: session(),
  params: CompletionParams,
  handle: ({ ctx, params }) => deleteStored(ctx, params.completion_id),
});
