import { removeMember } from "@/lib/operations/accounts/write";
import { session } from "@/lib/platform/auth/session-gate";
import { RowParams } from "@/lib/platform/auth/settings-schema";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: RowParams,
  handle: ({ ctx, params }) => removeMember(ctx, params.id),
});
