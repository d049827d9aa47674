import { session } from "@/lib/auth/session-gate";
import { FindDocuments } from "@/lib/documents/library-schema";
import { listLibrary, toReaderContext } from "@/lib/documents/read/documents";
import { admitUpload } from "@/lib/documents/read-upload";
import { UploadDocument } from "@/lib/documents/schema";
import { uploadDocument } from "@/lib/documents/write/upload";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { playgroundContext } from "@/lib/keys/write/playground";

export const GET = route({
  gate: session(),
  query: FindDocuments,
  handle: async ({ ctx, query }) => listLibrary(await toReaderContext(ctx), query),
});

/** Charged like an API upload, to the console's key. */
export const POST = route({
  gate: session(),
  admit: admitUpload,
  body: UploadDocument,
  status: 202,
  handle: async ({ ctx, body }) => {
    const preset = body.scope === "personal_kb" ? "personal" : "company";
    return uploadDocument(await playgroundContext(ctx, preset), body);
  },
});

export const { PUT, PATCH, DELETE } = methodNotAllowed("GET", "POST");
