import { DeletedFile, FileObject, FileParams } from "@/lib/library/documents/file-schema";
import { getFile } from "@/lib/library/documents/read/files";
import { deleteFile } from "@/lib/library/documents/write/files";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("kb:documents:read", {
  operationId: "getFile",
  summary: "Get a file: any document that the key can read.",
  params: FileParams,
  answer: FileObject,
  handle: ({ ctx, params }) => getFile(ctx, params.file_id),
});

export const DELETE = keyRoute("kb:documents:write", {
  operationId: "deleteFile",
  summary: "Delete a file with its document, also from every vector store.",
  params: FileParams,
  answer: DeletedFile,
  handle: ({ ctx, params }) => deleteFile(ctx, params.file_id),
});

export const { POST, PUT, PATCH } = methodNotAllowed({ GET, DELETE });
