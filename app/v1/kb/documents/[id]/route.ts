import { getDocument } from "@/lib/library/documents/read/documents";
import {
  DeletedDocument,
  Document,
  IdParams,
  UpdateDocument,
} from "@/lib/library/documents/schema";
import { deleteDocument } from "@/lib/library/documents/write/remove";
import { updateDocument } from "@/lib/library/documents/write/update";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("kb:documents:read", {
  operationId: "getDocument",
  summary: "Get a document's details.",
  params: IdParams,
  answer: Document,
  handle: ({ ctx, params }) => getDocument(ctx, params.id),
});

export const PATCH = keyRoute("kb:documents:write", {
  operationId: "updateDocument",
  summary:
    "Change a document's title, attributes, metadata, source type, address, date or standing.",
  params: IdParams,
  body: UpdateDocument,
  answer: Document,
  handle: ({ ctx, params, body }) => updateDocument(ctx, params.id, body),
});

export const DELETE = keyRoute("kb:documents:write", {
  operationId: "deleteDocument",
  summary: "Delete a document, including its text, chunks and vectors.",
  params: IdParams,
  answer: DeletedDocument,
  handle: ({ ctx, params }) => deleteDocument(ctx, params.id),
});

export const { POST, PUT } = methodNotAllowed({ GET, PATCH, DELETE });
