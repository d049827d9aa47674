import { requireMemberStores } from "@/lib/library/documents/read/stores";
import { listKeys } from "@/lib/money/keys/read";
import { CreateKey, ListKeys } from "@/lib/money/keys/schema";
import { createKey } from "@/lib/money/keys/write/keys";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  gate: session(),
  query: ListKeys,
  handle: ({ ctx, query }) => listKeys(ctx, query),
});

export const POST = route({
  gate: session(),
  body: CreateKey,
  status: 201,
  handle: async ({ ctx, body }) => {
    await requireMemberStores(ctx, body);
    return createKey(ctx, body);
  },
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
