import { listLedger } from "@/lib/money/billing/read/balance";
import { ListLedger } from "@/lib/money/billing/schema";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: ListLedger,
  handle: ({ ctx, query }) => listLedger(ctx, query),
});
