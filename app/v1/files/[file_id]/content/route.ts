import { FileParams } from "@/lib/library/documents/file-schema";
import { sendOriginal } from "@/lib/library/documents/send-original";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("kb:documents:read", {
  operationId: "downloadFile",
  summary: "Download a file's bytes.",
  params: FileParams,
  answerType: "application/octet-stream",
  handle: ({ ctx, params, request }) => sendOriginal(ctx, params.file_id, request.headers),
});
