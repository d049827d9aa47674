import { apiKey } from "@/lib/auth/api-key";
import { getDocument } from "@/lib/documents/read";
import { IdParams } from "@/lib/documents/schema";
import { deleteDocument } from "@/lib/documents/write/remove";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  handle: ({ ctx, params }) => getDocument(ctx, params.id),
});

export const DELETE = route({
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  handle: ({ ctx, params }) => deleteDocument(ctx, params.id),
});

export const { POST, PUT, PATCH } = otherMethods("GET", "DELETE");
