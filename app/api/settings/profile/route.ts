import { session } from "@/lib/auth/session-gate";
import { RenameMember } from "@/lib/auth/settings-schema";
import { renameMember } from "@/lib/auth/write/settings";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: RenameMember,
  handle: ({ ctx, body }) => renameMember(ctx, body),
});
