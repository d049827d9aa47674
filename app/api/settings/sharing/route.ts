import { memberPost } from "@/lib/platform/auth/member-route";
import { ChangeSharing } from "@/lib/platform/auth/settings-schema";
import { changeSharing } from "@/lib/platform/auth/write/settings";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: ChangeSharing,
  handle: ({ ctx, body }) => changeSharing(ctx, body),
});
