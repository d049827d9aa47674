import { requireKeyStores } from "@/lib/library/documents/read/stores";
import { listKeys } from "@/lib/money/keys/read";
import { ApiKeyPage, CreatedApiKey, CreateKey, ListKeys } from "@/lib/money/keys/schema";
import { createKey } from "@/lib/money/keys/write/keys";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { rejectIdempotencyKey } from "@/lib/platform/http/request";

export const GET = keyRoute("keys:write", {
  operationId: "listKeys",
  summary: "List the keys that this key created, newest first.",
  query: ListKeys,
  answer: ApiKeyPage,
  handle: async ({ ctx, query }) => ApiKeyPage.parse(await listKeys(ctx, query)),
});

export const POST = keyRoute("keys:write", {
  operationId: "createKey",
  summary: "Create a key with at most the permissions of the key that creates it.",
  body: CreateKey,
  answer: CreatedApiKey,
  status: 201,
  handle: async ({ ctx, body, request }) => {
    rejectIdempotencyKey(request);
    await requireKeyStores(ctx, body);
    const { key, secret } = await createKey(ctx, body);
    return CreatedApiKey.parse({ ...key, secret });
  },
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
