import { ListEvents } from "@/lib/audit/schema";
import { listActivity } from "@/lib/auth/read";
import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  query: ListEvents,
  handle: ({ ctx, query }) => listActivity(ctx, query),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
