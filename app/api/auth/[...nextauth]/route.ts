import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/next-auth";

interface AuthContext {
  params: Promise<{ nextauth: string[] }>;
}

// Not through route(): next-auth answers with cookies and redirects of its own.
async function handler(request: NextRequest, context: AuthContext): Promise<Response> {
  const [action] = (await context.params).nextauth;
  // Through `_log` anybody could write into our log.
  return action === "_log"
    ? new Response(null, { status: 404 })
    : NextAuth(request, context, authOptions(request.headers.get("user-agent")));
}

export { handler as GET, handler as POST };
