import { getKey } from "@/lib/money/keys/read";
import { ApiKey, KeyParams } from "@/lib/money/keys/schema";
import { revokeKey } from "@/lib/money/keys/write/keys";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "getKey",
  summary: "Get a key that the key created.",
  gate: apiKey("keys:write"),
  params: KeyParams,
  answer: ApiKey,
  handle: async ({ ctx, params }) => ApiKey.parse(await getKey(ctx, params.id)),
});

export const DELETE = route({
  operationId: "revokeKey",
  summary: "Revoke a key that the key created. It stays in the list.",
  gate: apiKey("keys:write"),
  params: KeyParams,
  answer: ApiKey,
  handle: async ({ ctx, params }) => ApiKey.parse(await revokeKey(ctx, params.id)),
});

export const { POST, PUT, PATCH } = methodNotAllowed({ GET, DELETE });
