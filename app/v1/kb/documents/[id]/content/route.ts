import { IdParams } from "@/lib/library/documents/schema";
import { sendOriginal } from "@/lib/library/documents/send-original";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "downloadDocument",
  summary: "Download a document's original file, or a range of its bytes.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  answerType: "application/octet-stream",
  handle: ({ ctx, params, request }) => sendOriginal(ctx, params.id, request.headers),
});
