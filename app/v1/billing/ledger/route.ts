import { listLedger } from "@/lib/money/billing/read/balance";
import { LedgerPage, ListLedger } from "@/lib/money/billing/schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "listLedgerEntries",
  summary: "List the ledger, newest first: top-ups, charges, refunds and disputes.",
  gate: apiKey("billing:read"),
  query: ListLedger,
  answer: LedgerPage,
  handle: ({ ctx, query }) => listLedger(ctx, query),
});
