import { createFirstKey } from "@/lib/money/keys/write/keys";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  handle: ({ ctx }) => createFirstKey(ctx),
});
