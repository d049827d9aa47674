import { apiKey } from "@/lib/auth/api-key";
import { VerifyRequest, VerifyResult } from "@/lib/chat/verify-schema";
import { verifyCitations } from "@/lib/chat/write/verify";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "verifyCitations",
  summary: "Check the citations of any text against any sources.",
  gate: apiKey("chat:completions"),
  body: VerifyRequest,
  answer: VerifyResult,
  handle: ({ ctx, body }) => verifyCitations(ctx, body),
});
