import { apiKey } from "@/lib/auth/api-key";
import { methodNotAllowed } from "@/lib/http/methods";
import { rejectDuplicateParams } from "@/lib/http/request";
import { route } from "@/lib/http/route";
import { getUsage } from "@/lib/usage/read/report";
import { GetUsage, UsageReport } from "@/lib/usage/schema";

export const GET = route({
  summary: "Get usage and cost by day (UTC), model, key and kind.",
  gate: apiKey("billing:read"),
  query: GetUsage,
  answer: UsageReport,
  handle: ({ ctx, query, request }) => {
    rejectDuplicateParams(request);
    return getUsage(ctx, query);
  },
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
