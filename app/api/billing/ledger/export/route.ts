import { exportLedger } from "@/lib/money/billing/read/balance";
import { ListLedger } from "@/lib/money/billing/schema";
import { session } from "@/lib/platform/auth/session-gate";
import { Download } from "@/lib/platform/http/download";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: ListLedger.pick({ kind: true }),
  handle: async ({ ctx, query }) =>
    new Download(exportLedger(ctx, query), {
      name: `footnote-ledger-${new Date().toISOString().slice(0, 10)}.csv`,
      mediaType: "text/csv; charset=utf-8; header=present",
    }),
});
