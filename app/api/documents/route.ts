import { FindDocuments } from "@/lib/library/documents/library-schema";
import { listLibrary, toReaderContext } from "@/lib/library/documents/read/documents";
import { admitUpload } from "@/lib/library/documents/read-upload";
import { ConsoleUpload } from "@/lib/library/documents/upload-schema";
import { uploadInto } from "@/lib/library/documents/write/store-files";
import { uploadDocument } from "@/lib/library/documents/write/upload";
import { nextVersionOf } from "@/lib/library/documents/write/versions";
import { uploadContext } from "@/lib/money/keys/write/playground";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = memberRoute({
  query: FindDocuments,
  handle: async ({ ctx, query }) => listLibrary(await toReaderContext(ctx), query),
});

/** Charged like an API upload, to the console's key. */
export const POST = memberRoute({
  admit: admitUpload,
  body: ConsoleUpload,
  status: 202,
  handle: async ({ ctx, body: { replaces, store, ...upload } }) => {
    const key = await uploadContext(ctx, upload.scope);
    const version = replaces
      ? await nextVersionOf(key, { id: replaces, scope: upload.scope })
      : null;
    return uploadInto(key, store, () => uploadDocument(key, { ...upload, ...version }));
  },
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
