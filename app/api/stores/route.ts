import { listLibraryStores } from "@/lib/library/documents/read/stores";
import { CreateVectorStore } from "@/lib/library/documents/store-schema";
import { createStore } from "@/lib/library/documents/write/stores";
import { uploadContext } from "@/lib/money/keys/write/playground";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({ gate: session(), handle: ({ ctx }) => listLibraryStores(ctx) });

export const POST = route({
  gate: session(),
  body: CreateVectorStore,
  handle: async ({ ctx, body }) => {
    const scope = body.scope ?? "customer_kb";
    return createStore(await uploadContext(ctx, scope), { ...body, scope });
  },
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
