import { session } from "@/lib/auth/session-gate";
import { onlyGet } from "@/lib/http/only-method";
import { getUsageSummary } from "@/lib/usage/read/summary";
import { SummarizeUsage } from "@/lib/usage/schema";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: SummarizeUsage,
  handle: ({ ctx, query }) => getUsageSummary(ctx, query),
});
