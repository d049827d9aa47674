import { KeyParams, RotateKey } from "@/lib/money/keys/schema";
import { rotateKey } from "@/lib/money/keys/write/keys";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: KeyParams,
  body: RotateKey,
  handle: ({ ctx, params, body }) => rotateKey(ctx, params.id, body),
});
