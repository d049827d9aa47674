import { memberPost } from "@/lib/platform/auth/member-route";
import { RowParams } from "@/lib/platform/auth/settings-schema";
import { endOwnSession } from "@/lib/platform/auth/write/settings";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: RowParams,
  handle: ({ ctx, params }) => endOwnSession(ctx, params.id),
});
