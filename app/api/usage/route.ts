import { listRequests } from "@/lib/money/usage/read/requests";
import { ListRequests } from "@/lib/money/usage/schema";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: ListRequests,
  handle: ({ ctx, query }) => listRequests(ctx, query),
});
