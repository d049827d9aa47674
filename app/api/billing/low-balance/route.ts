import { getLowBalance } from "@/lib/money/billing/read/balance";
import { SetLowBalance } from "@/lib/money/billing/schema";
import { setLowBalance } from "@/lib/money/billing/write/low-balance";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({ gate: session(), handle: ({ ctx }) => getLowBalance(ctx) });

export const POST = route({
  gate: session(),
  body: SetLowBalance,
  handle: ({ ctx, body }) => setLowBalance(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
