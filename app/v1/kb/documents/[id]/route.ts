import { apiKey } from "@/lib/auth/api-key";
import { getDocument } from "@/lib/documents/read/documents";
import { DeletedDocument, Document, IdParams } from "@/lib/documents/schema";
import { deleteDocument } from "@/lib/documents/write/remove";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  summary: "Get a document's details.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  answer: Document,
  handle: ({ ctx, params }) => getDocument(ctx, params.id),
});

export const DELETE = route({
  summary: "Delete a document, including its text, chunks and vectors.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  answer: DeletedDocument,
  handle: ({ ctx, params }) => deleteDocument(ctx, params.id),
});

export const { POST, PUT, PATCH } = methodNotAllowed("GET", "DELETE");
