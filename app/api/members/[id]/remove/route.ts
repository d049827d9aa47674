import { session } from "@/lib/auth/session-gate";
import { RowParams } from "@/lib/auth/settings-schema";
import { removeMember } from "@/lib/auth/write/members";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  params: RowParams,
  handle: async ({ ctx, params }) => {
    await removeMember(ctx, params.id);
    return { object: "member", id: params.id, deleted: true };
  },
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
