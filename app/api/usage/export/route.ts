import { daysOf, exportRequests } from "@/lib/money/usage/read/requests";
import { FilterUsage } from "@/lib/money/usage/schema";
import { session } from "@/lib/platform/auth/session-gate";
import { Download } from "@/lib/platform/http/download";
import { onlyGet } from "@/lib/platform/http/only-method";

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
