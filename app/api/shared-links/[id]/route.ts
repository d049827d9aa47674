import { LinkParams } from "@/lib/answers/sharing/schema";
import { revokeLink } from "@/lib/answers/sharing/write";
import { memberDelete } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberDelete({
  params: LinkParams,
  handle: ({ ctx, params }) => revokeLink(ctx, params.id),
});
