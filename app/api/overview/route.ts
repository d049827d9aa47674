import { session } from "@/lib/auth/session-gate";
import { getOverview } from "@/lib/billing/read/overview";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  handle: ({ ctx }) => getOverview(ctx),
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
