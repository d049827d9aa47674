import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listRequests } from "@/lib/usage/read/requests";
import { ListRequests } from "@/lib/usage/schema";

export const GET = route({
  gate: session(),
  query: ListRequests,
  handle: ({ ctx, query }) => listRequests(ctx, query),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
