import { CreatedApiKey, KeyParams, RotateKey } from "@/lib/money/keys/schema";
import { rotateKey } from "@/lib/money/keys/write/keys";
import { keyPost } from "@/lib/platform/auth/key-route";
import { rejectIdempotencyKey } from "@/lib/platform/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("keys:write", {
  operationId: "rotateKey",
  summary:
    "Give a key that this key created a new secret. The old one works until the overlap ends.",
  params: KeyParams,
  body: RotateKey,
  answer: CreatedApiKey,
  handle: async ({ ctx, params, body, request }) => {
    rejectIdempotencyKey(request);
    const { key, secret } = await rotateKey(ctx, params.id, body);
    return CreatedApiKey.parse({ ...key, secret });
  },
});
