import { memberPost } from "@/lib/platform/auth/member-route";
import { endOtherSessions } from "@/lib/platform/auth/write/settings";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  handle: ({ ctx }) => endOtherSessions(ctx),
});
