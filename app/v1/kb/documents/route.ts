import { DocumentPage, ListDocuments } from "@/lib/library/documents/library-schema";
import { listDocuments } from "@/lib/library/documents/read/documents";
import { admitUpload } from "@/lib/library/documents/read-upload";
import { AcceptedDocument, UploadDocument } from "@/lib/library/documents/schema";
import { uploadDocument } from "@/lib/library/documents/write/upload";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "listDocuments",
  summary: "List the documents the key can read, newest first.",
  gate: apiKey("kb:documents:read"),
  query: ListDocuments,
  answer: DocumentPage,
  handle: ({ ctx, query }) => listDocuments(ctx, query),
});

export const POST = route({
  operationId: "uploadDocument",
  summary:
    "Upload a document: a `file`, or its `text`. The same fields are taken as JSON, with `text`.",
  gate: apiKey("kb:documents:write"),
  accepts: "multipart/form-data",
  admit: admitUpload,
  body: UploadDocument,
  answer: AcceptedDocument,
  status: 202,
  handle: ({ ctx, body }) => uploadDocument(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
