import { daysOf, exportRequests } from "@/lib/money/usage/read/requests";
import { FilterUsage } from "@/lib/money/usage/schema";
import { memberGet } from "@/lib/platform/auth/member-route";
import { Download } from "@/lib/platform/http/download";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  query: FilterUsage,
  handle: async ({ ctx, query }) => {
    const { from, to } = daysOf(query);
    return new Download(exportRequests(ctx, query), {
      name: `footnote-usage-${from}-to-${to}.csv`,
      mediaType: "text/csv; charset=utf-8; header=present",
    });
  },
});
