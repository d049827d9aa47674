import { LinkParams } from "@/lib/answers/sharing/schema";
import { revokeLink } from "@/lib/answers/sharing/write";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyDelete } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyDelete({
  gate: session(),
  params: LinkParams,
  handle: ({ ctx, params }) => revokeLink(ctx, params.id),
});
