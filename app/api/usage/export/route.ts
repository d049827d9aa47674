import { session } from "@/lib/auth/session-gate";
import { Download } from "@/lib/http/download";
import { onlyGet } from "@/lib/http/only-method";
import { daysOf, exportRequests } from "@/lib/usage/read/requests";
import { FilterUsage } from "@/lib/usage/schema";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
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
