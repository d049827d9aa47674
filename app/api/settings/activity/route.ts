import { ListEvents } from "@/lib/platform/audit/schema";
import { memberGet } from "@/lib/platform/auth/member-route";
import { listActivity } from "@/lib/platform/auth/read";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  query: ListEvents,
  handle: ({ ctx, query }) => listActivity(ctx, query),
});
