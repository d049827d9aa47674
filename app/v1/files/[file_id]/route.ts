import { DeletedFile, FileObject, FileParams } from "@/lib/library/documents/file-schema";
import { getFile } from "@/lib/library/documents/read/files";
import { deleteFile } from "@/lib/library/documents/write/files";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "getFile",
  summary: "Get a file: any document that the key can read.",
  gate: apiKey("kb:documents:read"),
  params: FileParams,
  answer: FileObject,
  handle: ({ ctx, params }) => getFile(ctx, params.file_id),
});

export const DELETE = route({
  operationId: "deleteFile",
  summary: "Delete a file with its document, also from every vector store.",
  gate: apiKey("kb:documents:write"),
  params: FileParams,
  answer: DeletedFile,
  handle: ({ ctx, params }) => deleteFile(ctx, params.file_id),
});

export const { POST, PUT, PATCH } = methodNotAllowed({ GET, DELETE });
