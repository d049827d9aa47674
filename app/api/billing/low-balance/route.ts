import { getLowBalance } from "@/lib/money/billing/read/balance";
import { SetLowBalance } from "@/lib/money/billing/schema";
import { setLowBalance } from "@/lib/money/billing/write/low-balance";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = memberRoute({ handle: ({ ctx }) => getLowBalance(ctx) });

export const POST = memberRoute({
  body: SetLowBalance,
  handle: ({ ctx, body }) => setLowBalance(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
