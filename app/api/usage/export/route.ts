import { session } from "@/lib/auth/session-gate";
import { exportRequests } from "@/lib/billing/read/export";
import { daysOf } from "@/lib/billing/read/request-filter";
import { FilterUsage } from "@/lib/billing/usage-schema";
import { Download } from "@/lib/http/download";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  query: FilterUsage,
  handle: async ({ ctx, query }) => {
    const { from, to } = daysOf(query);
    return new Download(exportRequests(ctx, query), {
      name: `footnote-usage-${from}-to-${to}.csv`,
      mediaType: "text/csv; charset=utf-8; header=present",
    });
  },
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
