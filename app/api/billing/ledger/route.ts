import { listLedger } from "@/lib/money/billing/read/balance";
import { ListLedger } from "@/lib/money/billing/schema";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  query: ListLedger,
  handle: ({ ctx, query }) => listLedger(ctx, query),
});
