import { getUsage } from "@/lib/money/usage/read/report";
import { GetUsage, UsageReport } from "@/lib/money/usage/schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getUsage",
  summary: "Get usage and cost by day (UTC), model, key and kind.",
  gate: apiKey("billing:read"),
  query: GetUsage,
  answer: UsageReport,
  handle: ({ ctx, query }) => getUsage(ctx, query),
});
