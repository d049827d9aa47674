import { listLedger } from "@/lib/money/billing/read/balance";
import { LedgerPage, ListLedger } from "@/lib/money/billing/schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("billing:read", {
  operationId: "listLedgerEntries",
  summary: "List the ledger, newest first: top-ups, charges, refunds and disputes.",
  query: ListLedger,
  answer: LedgerPage,
  handle: ({ ctx, query }) => listLedger(ctx, query),
});
