import { CompletionParams } from "@/lib/answers/chat/stored-schema";
import { deleteStored } from "@/lib/answers/chat/write/delete-stored";
import { memberDelete } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberDelete({
  params: CompletionParams,
  handle: ({ ctx, params }) => deleteStored(ctx, params.completion_id),
});
