import { session } from "@/lib/auth/session-gate";
import { otherMethods } from "@/lib/http/methods";
import { Reply, route } from "@/lib/http/route";
import { listKeys } from "@/lib/keys/read";
import { CreateKey, ListKeys } from "@/lib/keys/schema";
import { createKey } from "@/lib/keys/write";

export const GET = route({
  gate: session(),
  query: ListKeys,
  handle: ({ ctx, query }) => listKeys(ctx, query),
});

export const POST = route({
  gate: session(),
  body: CreateKey,
  handle: async ({ ctx, body }) => new Reply(await createKey(ctx, body), { status: 201 }),
});

export const { PUT, PATCH, DELETE } = otherMethods("GET", "POST");
