import { CreateFile, FileObject, FilePage, ListFiles } from "@/lib/library/documents/file-schema";
import { listFiles } from "@/lib/library/documents/read/files";
import { admitUpload } from "@/lib/library/documents/read-upload";
import { createFile } from "@/lib/library/documents/write/files";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("kb:documents:read", {
  operationId: "listFiles",
  summary: "List the files that the key can read, in OpenAI's shape: its own documents.",
  query: ListFiles,
  answer: FilePage,
  handle: ({ ctx, query }) => listFiles(ctx, query),
});

export const POST = keyRoute("kb:documents:write", {
  operationId: "createFile",
  summary: "Store a file, which becomes searchable once a vector store has it.",
  accepts: "multipart/form-data",
  admit: admitUpload,
  body: CreateFile,
  answer: FileObject,
  handle: ({ ctx, body }) => createFile(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
