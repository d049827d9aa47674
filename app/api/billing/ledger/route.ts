import { session } from "@/lib/auth/session-gate";
import { listLedger } from "@/lib/billing/read/balance";
import { ListLedger } from "@/lib/billing/schema";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: ListLedger,
  handle: ({ ctx, query }) => listLedger(ctx, query),
});
