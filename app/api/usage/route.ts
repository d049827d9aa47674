import { session } from "@/lib/auth/session-gate";
import { onlyGet } from "@/lib/http/only-method";
import { listRequests } from "@/lib/usage/read/requests";
import { ListRequests } from "@/lib/usage/schema";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: ListRequests,
  handle: ({ ctx, query }) => listRequests(ctx, query),
});
