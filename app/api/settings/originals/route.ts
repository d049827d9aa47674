import { memberPost } from "@/lib/platform/auth/member-route";
import { KeepOriginals } from "@/lib/platform/auth/settings-schema";
import { setKeepOriginals } from "@/lib/platform/auth/write/settings";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: KeepOriginals,
  handle: ({ ctx, body }) => setKeepOriginals(ctx, body),
});
