import { exportLedger } from "@/lib/money/billing/read/balance";
import { ListLedger } from "@/lib/money/billing/schema";
import { memberGet } from "@/lib/platform/auth/member-route";
import { Download } from "@/lib/platform/http/download";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  query: ListLedger.pick({ kind: true }),
  handle: async ({ ctx, query }) =>
    new Download(exportLedger(ctx, query), {
      name: `footnote-ledger-${new Date().toISOString().slice(0, 10)}.csv`,
      mediaType: "text/csv; charset=utf-8; header=present",
    }),
});
