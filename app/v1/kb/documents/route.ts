import { apiKey } from "@/lib/auth/api-key";
import { listDocuments } from "@/lib/documents/read";
import { readUpload } from "@/lib/documents/read-upload";
import { ListDocuments, UploadDocument } from "@/lib/documents/schema";
import { uploadDocument } from "@/lib/documents/write/upload";
import { otherMethods } from "@/lib/http/methods";
import { Reply, route } from "@/lib/http/route";

export const GET = route({
  gate: apiKey("kb:documents:read"),
  query: ListDocuments,
  handle: ({ ctx, query }) => listDocuments(ctx, query),
});

export const POST = route({
  gate: apiKey("kb:documents:write"),
  read: readUpload,
  body: UploadDocument,
  handle: async ({ ctx, body }) => new Reply(await uploadDocument(ctx, body), { status: 202 }),
});

export const { PUT, PATCH, DELETE } = otherMethods("GET", "POST");
