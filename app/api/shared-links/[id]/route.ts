import { session } from "@/lib/auth/session-gate";
import { onlyDelete } from "@/lib/http/only-method";
import { LinkParams } from "@/lib/sharing/schema";
import { revokeLink } from "@/lib/sharing/write";

export const { GET, POST, PUT, PATCH, DELETE } = onlyDelete({
  gate: session(),
  params: LinkParams,
  handle: ({ ctx, params }) => revokeLink(ctx, params.id),
});
