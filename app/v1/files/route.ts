import { CreateFile, FileObject, FilePage, ListFiles } from "@/lib/library/documents/file-schema";
import { listFiles } from "@/lib/library/documents/read/files";
import { admitUpload } from "@/lib/library/documents/read-upload";
import { createFile } from "@/lib/library/documents/write/files";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "listFiles",
  summary: "List the files that the key can read, in OpenAI's shape: its own documents.",
  gate: apiKey("kb:documents:read"),
  query: ListFiles,
  answer: FilePage,
  handle: ({ ctx, query }) => listFiles(ctx, query),
});

export const POST = route({
  operationId: "createFile",
  summary: "Store a file, which becomes searchable once a vector store has it.",
  gate: apiKey("kb:documents:write"),
  accepts: "multipart/form-data",
  admit: admitUpload,
  body: CreateFile,
  answer: FileObject,
  handle: ({ ctx, body }) => createFile(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
