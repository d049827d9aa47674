import { apiKey } from "@/lib/auth/api-key";
import { onlyGet } from "@/lib/http/only-method";
import { getUsage } from "@/lib/usage/read/report";
import { GetUsage, UsageReport } from "@/lib/usage/schema";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getUsage",
  summary: "Get usage and cost by day (UTC), model, key and kind.",
  gate: apiKey("billing:read"),
  query: GetUsage,
  answer: UsageReport,
  handle: ({ ctx, query }) => getUsage(ctx, query),
});
