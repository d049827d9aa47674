import { session } from "@/lib/auth/session-gate";
import { TextQuery } from "@/lib/documents/library-schema";
import { asReader } from "@/lib/documents/read/reader";
import { readText } from "@/lib/documents/read/text";
import { IdParams } from "@/lib/documents/schema";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  params: IdParams,
  query: TextQuery,
  handle: async ({ ctx, params, query }) =>
    readText(await asReader(ctx), { id: params.id, look: query }),
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
