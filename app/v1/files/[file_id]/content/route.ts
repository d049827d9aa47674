import { FileParams } from "@/lib/library/documents/file-schema";
import { sendOriginal } from "@/lib/library/documents/send-original";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "downloadFile",
  summary: "Download a file's bytes.",
  gate: apiKey("kb:documents:read"),
  params: FileParams,
  answerType: "application/octet-stream",
  handle: ({ ctx, params, request }) => sendOriginal(ctx, params.file_id, request.headers),
});
