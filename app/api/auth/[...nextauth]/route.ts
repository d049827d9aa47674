import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { guardNextAuth } from "@/lib/auth/guard-next-auth";
import { authOptions } from "@/lib/auth/next-auth";

interface AuthContext {
  params: Promise<{ nextauth: string[] }>;
}

// Not through route(): next-auth sets its own cookies and redirects.
async function handler(request: NextRequest, context: AuthContext): Promise<Response> {
  const [action] = (await context.params).nextauth;
  // `_log` would let anyone write to our log.
  return action === "_log"
    ? new Response(null, { status: 404 })
    : guardNextAuth(request, (limited) =>
        NextAuth(limited, context, authOptions(request.headers.get("user-agent"))),
      );
}

export { handler as GET, handler as POST };
