import { listLinks } from "@/lib/answers/sharing/read";
import { CreateLink, FindLinks } from "@/lib/answers/sharing/schema";
import { createLink } from "@/lib/answers/sharing/write";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

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
