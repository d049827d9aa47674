import { listLinks } from "@/lib/answers/sharing/read";
import { CreateLink, FindLinks } from "@/lib/answers/sharing/schema";
import { createLink } from "@/lib/answers/sharing/write";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = memberRoute({
  query: FindLinks,
  handle: ({ ctx, query }) => listLinks(ctx, query),
});

export const POST = memberRoute({
  body: CreateLink,
  status: 201,
  handle: ({ ctx, body }) => createLink(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
