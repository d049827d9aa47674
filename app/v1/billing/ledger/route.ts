import { apiKey } from "@/lib/auth/api-key";
import { listLedger } from "@/lib/billing/read/balance";
import { LedgerPage, ListLedger } from "@/lib/billing/schema";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "listLedgerEntries",
  summary: "List the ledger, newest first: top-ups, charges, refunds and disputes.",
  gate: apiKey("billing:read"),
  query: ListLedger,
  answer: LedgerPage,
  handle: ({ ctx, query }) => listLedger(ctx, query),
});
