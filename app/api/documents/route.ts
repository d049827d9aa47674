import { session } from "@/lib/auth/session-gate";
import { FindDocuments } from "@/lib/documents/library-schema";
import { listLibrary, toReaderContext } from "@/lib/documents/read/documents";
import { admitUpload } from "@/lib/documents/read-upload";
import { ConsoleUpload } from "@/lib/documents/upload-schema";
import { uploadDocument } from "@/lib/documents/write/upload";
import { nextVersionOf } from "@/lib/documents/write/versions";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { uploadContext } from "@/lib/keys/write/playground";

export const GET = route({
  gate: session(),
  query: FindDocuments,
  handle: async ({ ctx, query }) => listLibrary(await toReaderContext(ctx), query),
});

/** Charged like an API upload, to the console's key. */
export const POST = route({
  gate: session(),
  admit: admitUpload,
  body: ConsoleUpload,
  status: 202,
  handle: async ({ ctx, body: { replaces, ...upload } }) => {
    const key = await uploadContext(ctx, upload.scope);
    const version = replaces
      ? await nextVersionOf(key, { id: replaces, scope: upload.scope })
      : null;
    return uploadDocument(key, { ...upload, ...version });
  },
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
