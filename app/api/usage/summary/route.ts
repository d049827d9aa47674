import { session } from "@/lib/auth/session-gate";
import { getUsageSummary } from "@/lib/billing/read/usage-summary";
import { FilterUsage } from "@/lib/billing/usage-schema";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  query: FilterUsage,
  handle: ({ ctx, query }) => getUsageSummary(ctx, query),
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
