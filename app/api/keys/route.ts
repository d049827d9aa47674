import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listKeys } from "@/lib/keys/read";
import { CreateKey, ListKeys } from "@/lib/keys/schema";
import { createKey } from "@/lib/keys/write/keys";

export const GET = route({
  gate: session(),
  query: ListKeys,
  handle: ({ ctx, query }) => listKeys(ctx, query),
});

export const POST = route({
  gate: session(),
  body: CreateKey,
  status: 201,
  handle: ({ ctx, body }) => createKey(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
