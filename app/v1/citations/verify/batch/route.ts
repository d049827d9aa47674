import { VerifyBatch, VerifyBatchLine } from "@/lib/answers/chat/verify-schema";
import { verifyBatch } from "@/lib/answers/chat/write/verify-batch";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";
import { JSON_LINES, readJsonLines } from "@/lib/platform/http/read-body";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "verifyCitationsBatch",
  summary: "Check the citations of up to 1,000 texts, as JSON Lines.",
  gate: apiKey("chat:completions"),
  accepts: JSON_LINES,
  read: readJsonLines,
  body: VerifyBatch,
  answer: VerifyBatchLine,
  answerType: JSON_LINES,
  handle: ({ ctx, body }) => verifyBatch(ctx, body),
});
