import { removeMember } from "@/lib/operations/accounts/write";
import { memberPost } from "@/lib/platform/auth/member-route";
import { RowParams } from "@/lib/platform/auth/settings-schema";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: RowParams,
  handle: ({ ctx, params }) => removeMember(ctx, params.id),
});
