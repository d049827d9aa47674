import { getUsage } from "@/lib/money/usage/read/report";
import { GetUsage, UsageReport } from "@/lib/money/usage/schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("billing:read", {
  operationId: "getUsage",
  summary: "Get usage and cost by day (UTC), model, key and kind.",
  query: GetUsage,
  answer: UsageReport,
  handle: ({ ctx, query }) => getUsage(ctx, query),
});
