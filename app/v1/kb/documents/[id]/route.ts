import { getDocument } from "@/lib/library/documents/read/documents";
import {
  DeletedDocument,
  Document,
  IdParams,
  UpdateDocument,
} from "@/lib/library/documents/schema";
import { deleteDocument } from "@/lib/library/documents/write/remove";
import { updateDocument } from "@/lib/library/documents/write/update";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "getDocument",
  summary: "Get a document's details.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  answer: Document,
  handle: ({ ctx, params }) => getDocument(ctx, params.id),
});

export const PATCH = route({
  operationId: "updateDocument",
  summary:
    "Change a document's title, attributes, metadata, source type, address, date or standing.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  body: UpdateDocument,
  answer: Document,
  handle: ({ ctx, params, body }) => updateDocument(ctx, params.id, body),
});

export const DELETE = route({
  operationId: "deleteDocument",
  summary: "Delete a document, including its text, chunks and vectors.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  answer: DeletedDocument,
  handle: ({ ctx, params }) => deleteDocument(ctx, params.id),
});

export const { POST, PUT } = methodNotAllowed({ GET, PATCH, DELETE });
