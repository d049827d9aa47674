import { toReaderContext } from "@/lib/library/documents/read/documents";
import { IdParams } from "@/lib/library/documents/schema";
import { sendOriginal } from "@/lib/library/documents/send-original";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  params: IdParams,
  handle: async ({ ctx, params, request }) =>
    sendOriginal(await toReaderContext(ctx), params.id, request.headers),
});
