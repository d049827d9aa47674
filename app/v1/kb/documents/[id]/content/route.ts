import { apiKey } from "@/lib/auth/api-key";
import { IdParams } from "@/lib/documents/schema";
import { sendOriginal } from "@/lib/documents/send-original";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "downloadDocument",
  summary: "Download a document's original file, or a range of its bytes.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  answerType: "application/octet-stream",
  handle: ({ ctx, params, request }) => sendOriginal(ctx, params.id, request.headers),
});
