import { removeMember } from "@/lib/accounts/write";
import { session } from "@/lib/auth/session-gate";
import { RowParams } from "@/lib/auth/settings-schema";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: RowParams,
  handle: ({ ctx, params }) => removeMember(ctx, params.id),
});
