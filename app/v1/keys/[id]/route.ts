import { getKey } from "@/lib/money/keys/read";
import { ApiKey, KeyParams, UpdateKey } from "@/lib/money/keys/schema";
import { revokeKey, updateKey } from "@/lib/money/keys/write/keys";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("keys:write", {
  operationId: "getKey",
  summary: "Get a key that this key created.",
  params: KeyParams,
  answer: ApiKey,
  handle: async ({ ctx, params }) => ApiKey.parse(await getKey(ctx, params.id)),
});

export const PATCH = keyRoute("keys:write", {
  operationId: "updateKey",
  summary:
    "Change the name, models, search or limits of a key that this key created. Fields that are left out don't change.",
  params: KeyParams,
  body: UpdateKey,
  answer: ApiKey,
  handle: async ({ ctx, params, body }) => ApiKey.parse(await updateKey(ctx, params.id, body)),
});

export const DELETE = keyRoute("keys:write", {
  operationId: "revokeKey",
  summary: "Revoke a key that this key created. It stays in the list.",
  params: KeyParams,
  answer: ApiKey,
  handle: async ({ ctx, params }) => ApiKey.parse(await revokeKey(ctx, params.id)),
});

export const { POST, PUT } = methodNotAllowed({ GET, PATCH, DELETE });
