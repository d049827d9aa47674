import { memberGet } from "@/lib/platform/auth/member-route";
import { getSettings } from "@/lib/platform/auth/read";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  handle: ({ ctx }) => getSettings(ctx),
});
