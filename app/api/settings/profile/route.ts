import { session } from "@/lib/platform/auth/session-gate";
import { RenameMember } from "@/lib/platform/auth/settings-schema";
import { renameMember } from "@/lib/platform/auth/write/settings";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: RenameMember,
  handle: ({ ctx, body }) => renameMember(ctx, body),
});
