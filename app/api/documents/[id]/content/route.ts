import { toReaderContext } from "@/lib/library/documents/read/documents";
import { IdParams } from "@/lib/library/documents/schema";
import { sendOriginal } from "@/lib/library/documents/send-original";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: IdParams,
  handle: async ({ ctx, params, request }) =>
    sendOriginal(await toReaderContext(ctx), params.id, request.headers),
});
