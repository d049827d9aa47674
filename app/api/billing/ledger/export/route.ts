import { session } from "@/lib/auth/session-gate";
import { exportLedger } from "@/lib/billing/read/balance";
import { ListLedger } from "@/lib/billing/schema";
import { Download } from "@/lib/http/download";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: ListLedger.pick({ kind: true }),
  handle: async ({ ctx, query }) =>
    new Download(exportLedger(ctx, query), {
      name: `footnote-ledger-${new Date().toISOString().slice(0, 10)}.csv`,
      mediaType: "text/csv; charset=utf-8; header=present",
    }),
});
