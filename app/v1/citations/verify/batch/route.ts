import { VerifyBatch, VerifyBatchLine } from "@/lib/answers/chat/verify-schema";
import { verifyBatch } from "@/lib/answers/chat/write/verify-batch";
import { keyPost } from "@/lib/platform/auth/key-route";
import { JSON_LINES, readJsonLines } from "@/lib/platform/http/read-body";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("chat:completions", {
  operationId: "verifyCitationsBatch",
  summary: "Check the citations of up to 1,000 texts, as JSON Lines.",
  accepts: JSON_LINES,
  read: readJsonLines,
  body: VerifyBatch,
  answer: VerifyBatchLine,
  answerType: JSON_LINES,
  handle: ({ ctx, body }) => verifyBatch(ctx, body),
});
