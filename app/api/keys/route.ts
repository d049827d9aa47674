import { requireMemberStores } from "@/lib/library/documents/read/stores";
import { listKeys } from "@/lib/money/keys/read";
import { CreateKey, ListKeys } from "@/lib/money/keys/schema";
import { createKey } from "@/lib/money/keys/write/keys";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = memberRoute({
  query: ListKeys,
  handle: ({ ctx, query }) => listKeys(ctx, query),
});

export const POST = memberRoute({
  body: CreateKey,
  status: 201,
  handle: async ({ ctx, body }) => {
    await requireMemberStores(ctx, body);
    return createKey(ctx, body);
  },
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
