import { getCredits } from "@/lib/money/billing/read/balance";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  handle: ({ ctx }) => getCredits(ctx),
});
