import { KeyParams } from "@/lib/money/keys/schema";
import { revokeKey } from "@/lib/money/keys/write/keys";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: KeyParams,
  handle: ({ ctx, params }) => revokeKey(ctx, params.id),
});
