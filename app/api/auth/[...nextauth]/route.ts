import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import * as z from "zod";
import { authOptions } from "@/lib/auth/next-auth";
import { anyone } from "@/lib/http/anyone";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

// Leaves out next-auth's `_log`, through which anybody could write into our log.
const Action = z.enum([
  "providers",
  "session",
  "csrf",
  "signin",
  "signout",
  "callback",
  "error",
]);
const Params = z.object({ nextauth: z.tuple([Action], z.string()) });

const handler = route({
  gate: anyone,
  params: Params,
  handle: async ({ request, params }): Promise<Response> =>
    NextAuth(new NextRequest(request), { params }, authOptions()),
});

export { handler as GET, handler as POST };
export const { PUT, PATCH, DELETE } = otherMethods("GET", "POST");
