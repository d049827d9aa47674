import { session } from "@/lib/auth/session-gate";
import { listLedger } from "@/lib/billing/read/balance";
import { ListLedger } from "@/lib/billing/schema";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  query: ListLedger,
  handle: ({ ctx, query }) => listLedger(ctx, query),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
