import { ChangeMembership } from "@/lib/library/documents/store-schema";
import { changeMembership } from "@/lib/library/documents/write/store-files";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

/** Files that weren't indexed yet are charged to the console's key. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ChangeMembership,
  handle: ({ ctx, body }) => changeMembership(ctx, body),
});
