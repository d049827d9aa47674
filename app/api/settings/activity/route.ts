import { ListEvents } from "@/lib/audit/schema";
import { listActivity } from "@/lib/auth/read";
import { session } from "@/lib/auth/session-gate";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: ListEvents,
  handle: ({ ctx, query }) => listActivity(ctx, query),
});
