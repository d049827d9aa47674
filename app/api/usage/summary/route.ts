import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getUsageSummary } from "@/lib/usage/read/summary";
import { FilterUsage } from "@/lib/usage/schema";

export const GET = route({
  gate: session(),
  query: FilterUsage,
  handle: ({ ctx, query }) => getUsageSummary(ctx, query),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
