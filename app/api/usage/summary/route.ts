import { getUsageSummary } from "@/lib/money/usage/read/summary";
import { SummarizeUsage } from "@/lib/money/usage/schema";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  query: SummarizeUsage,
  handle: ({ ctx, query }) => getUsageSummary(ctx, query),
});
