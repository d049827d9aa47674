import { listLibraryStores } from "@/lib/library/documents/read/stores";
import { CreateVectorStore } from "@/lib/library/documents/store-schema";
import { createStore } from "@/lib/library/documents/write/stores";
import { uploadContext } from "@/lib/money/keys/write/playground";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = memberRoute({ handle: ({ ctx }) => listLibraryStores(ctx) });

export const POST = memberRoute({
  body: CreateVectorStore,
  handle: async ({ ctx, body }) => {
    const scope = body.scope ?? "customer_kb";
    return createStore(await uploadContext(ctx, scope), { ...body, scope });
  },
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
