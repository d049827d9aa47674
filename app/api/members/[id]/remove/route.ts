import { session } from "@/lib/auth/session-gate";
import { RowParams } from "@/lib/auth/settings-schema";
import { removeMember } from "@/lib/auth/write/members";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: RowParams,
  handle: async ({ ctx, params }) => {
    await removeMember(ctx, params.id);
    return { object: "member", id: params.id, deleted: true };
  },
});
