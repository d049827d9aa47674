import { VerifyRequest, VerifyResult } from "@/lib/answers/chat/verify-schema";
import { verifyCitations } from "@/lib/answers/chat/write/verify";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("chat:completions", {
  operationId: "verifyCitations",
  summary: "Check the citations of any text against any sources.",
  body: VerifyRequest,
  answer: VerifyResult,
  handle: ({ ctx, body }) => verifyCitations(ctx, body),
});
