import { session } from "@/lib/auth/session-gate";
import { listRequests } from "@/lib/billing/read/requests";
import { ListRequests } from "@/lib/billing/usage-schema";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  query: ListRequests,
  handle: ({ ctx, query }) => listRequests(ctx, query),
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
