import { IdParams } from "@/lib/library/documents/schema";
import { sendOriginal } from "@/lib/library/documents/send-original";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("kb:documents:read", {
  operationId: "downloadDocument",
  summary: "Download a document's original file, or a range of its bytes.",
  params: IdParams,
  answerType: "application/octet-stream",
  handle: ({ ctx, params, request }) => sendOriginal(ctx, params.id, request.headers),
});
