import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listLinks } from "@/lib/sharing/read";
import { CreateLink, FindLinks } from "@/lib/sharing/schema";
import { createLink } from "@/lib/sharing/write";

export const GET = route({
  gate: session(),
  query: FindLinks,
  handle: ({ ctx, query }) => listLinks(ctx, query),
});

export const POST = route({
  gate: session(),
  body: CreateLink,
  status: 201,
  handle: ({ ctx, body }) => createLink(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
