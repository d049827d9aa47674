import { CompletionParams } from "@/lib/answers/chat/stored-schema";
import { deleteStored } from "@/lib/answers/chat/write/delete-stored";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyDelete } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyDelete({
  gate: session(),
  params: CompletionParams,
  handle: ({ ctx, params }) => deleteStored(ctx, params.completion_id),
});
