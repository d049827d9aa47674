import { session } from "@/lib/auth/session-gate";
import { toReaderContext } from "@/lib/documents/read/documents";
import { IdParams } from "@/lib/documents/schema";
import { sendOriginal } from "@/lib/documents/send-original";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: IdParams,
  handle: async ({ ctx, params, request }) =>
    sendOriginal(await toReaderContext(ctx), params.id, request.headers),
});
