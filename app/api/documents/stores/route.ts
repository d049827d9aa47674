import { ChangeMembership } from "@/lib/library/documents/store-schema";
import { changeMembership } from "@/lib/library/documents/write/store-files";
import { memberPost } from "@/lib/platform/auth/member-route";

/** Files that weren't indexed yet are charged to the console's key. */
export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: ChangeMembership,
  handle: ({ ctx, body }) => changeMembership(ctx, body),
});
