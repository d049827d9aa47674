import { getOverview } from "@/lib/money/usage/read/overview";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  handle: ({ ctx }) => getOverview(ctx),
});
