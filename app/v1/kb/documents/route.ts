import { DocumentPage, ListDocuments } from "@/lib/library/documents/library-schema";
import { listDocuments } from "@/lib/library/documents/read/documents";
import { admitUpload } from "@/lib/library/documents/read-upload";
import { AcceptedDocument, UploadDocument } from "@/lib/library/documents/schema";
import { uploadDocument } from "@/lib/library/documents/write/upload";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("kb:documents:read", {
  operationId: "listDocuments",
  summary: "List the documents the key can read, newest first.",
  query: ListDocuments,
  answer: DocumentPage,
  handle: ({ ctx, query }) => listDocuments(ctx, query),
});

export const POST = keyRoute("kb:documents:write", {
  operationId: "uploadDocument",
  summary:
    "Upload a document: a `file`, or its `text`. The same fields are taken as JSON, with `text`.",
  accepts: "multipart/form-data",
  admit: admitUpload,
  body: UploadDocument,
  answer: AcceptedDocument,
  status: 202,
  handle: ({ ctx, body }) => uploadDocument(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
