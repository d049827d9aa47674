import { VerifyRequest, VerifyResult } from "@/lib/answers/chat/verify-schema";
import { verifyCitations } from "@/lib/answers/chat/write/verify";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "verifyCitations",
  summary: "Check the citations of any text against any sources.",
  gate: apiKey("chat:completions"),
  body: VerifyRequest,
  answer: VerifyResult,
  handle: ({ ctx, body }) => verifyCitations(ctx, body),
});
