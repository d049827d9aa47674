import { session } from "@/lib/auth/session-gate";
import { onlyGet } from "@/lib/http/only-method";
import { getUsageSummary } from "@/lib/usage/read/summary";
import { FilterUsage } from "@/lib/usage/schema";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: FilterUsage,
  handle: ({ ctx, query }) => getUsageSummary(ctx, query),
});
