import { apiKey } from "@/lib/auth/api-key";
import { VerifyBatch, VerifyBatchLine } from "@/lib/chat/verify-schema";
import { verifyBatch } from "@/lib/chat/write/verify-batch";
import { onlyPost } from "@/lib/http/only-method";
import { JSON_LINES, readJsonLines } from "@/lib/http/read-body";

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
