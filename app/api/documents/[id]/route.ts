import { session } from "@/lib/auth/session-gate";
import { asReader } from "@/lib/documents/read/reader";
import { IdParams } from "@/lib/documents/schema";
import { deleteDocument } from "@/lib/documents/write/remove";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const DELETE = route({
  gate: session(),
  params: IdParams,
  handle: async ({ ctx, params }) => deleteDocument(await asReader(ctx), params.id),
});

export const { GET, POST, PUT, PATCH } = otherMethods("DELETE");
