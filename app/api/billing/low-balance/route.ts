import { session } from "@/lib/auth/session-gate";
import { getLowBalance } from "@/lib/billing/read/balance";
import { SetLowBalance } from "@/lib/billing/schema";
import { setLowBalance } from "@/lib/billing/write/low-balance";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({ gate: session(), handle: ({ ctx }) => getLowBalance(ctx) });

export const POST = route({
  gate: session(),
  body: SetLowBalance,
  handle: ({ ctx, body }) => setLowBalance(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
