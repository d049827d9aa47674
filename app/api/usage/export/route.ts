import { session } from "@/lib/auth/session-gate";
import { Download } from "@/lib/http/download";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { daysOf, exportRequests } from "@/lib/usage/read/requests";
import { FilterUsage } from "@/lib/usage/schema";

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

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
