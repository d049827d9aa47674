import { listRequests } from "@/lib/money/usage/read/requests";
import { ListRequests } from "@/lib/money/usage/schema";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  query: ListRequests,
  handle: ({ ctx, query }) => listRequests(ctx, query),
});
