import { session } from "@/lib/auth/session-gate";
import { RowParams } from "@/lib/auth/settings-schema";
import { endOwnSession } from "@/lib/auth/write/settings";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: RowParams,
  handle: ({ ctx, params }) => endOwnSession(ctx, params.id),
});
