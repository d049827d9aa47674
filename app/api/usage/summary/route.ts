import { getUsageSummary } from "@/lib/money/usage/read/summary";
import { SummarizeUsage } from "@/lib/money/usage/schema";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: SummarizeUsage,
  handle: ({ ctx, query }) => getUsageSummary(ctx, query),
});
