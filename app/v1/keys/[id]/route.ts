import { getKey } from "@/lib/money/keys/read";
import { ApiKey, KeyParams, UpdateKey } from "@/lib/money/keys/schema";
import { revokeKey, updateKey } from "@/lib/money/keys/write/keys";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "getKey",
  summary: "Get a key that this key created.",
  gate: apiKey("keys:write"),
  params: KeyParams,
  answer: ApiKey,
  handle: async ({ ctx, params }) => ApiKey.parse(await getKey(ctx, params.id)),
});

export const PATCH = route({
  operationId: "updateKey",
  summary:
    "Change the name, models, search or limits of a key that this key created. Fields that are left out don't change.",
  gate: apiKey("keys:write"),
  params: KeyParams,
  body: UpdateKey,
  answer: ApiKey,
  handle: async ({ ctx, params, body }) => ApiKey.parse(await updateKey(ctx, params.id, body)),
});

export const DELETE = route({
  operationId: "revokeKey",
  summary: "Revoke a key that this key created. It stays in the list.",
  gate: apiKey("keys:write"),
  params: KeyParams,
  answer: ApiKey,
  handle: async ({ ctx, params }) => ApiKey.parse(await revokeKey(ctx, params.id)),
});

export const { POST, PUT } = methodNotAllowed({ GET, PATCH, DELETE });
