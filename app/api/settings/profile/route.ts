import { memberPost } from "@/lib/platform/auth/member-route";
import { RenameMember } from "@/lib/platform/auth/settings-schema";
import { renameMember } from "@/lib/platform/auth/write/settings";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: RenameMember,
  handle: ({ ctx, body }) => renameMember(ctx, body),
});
