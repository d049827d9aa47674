import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { guardNextAuth } from "@/lib/platform/auth/guard-next-auth";
import { knownBrowserCookie } from "@/lib/platform/auth/known-browser";
import { authOptions } from "@/lib/platform/auth/next-auth";

interface AuthContext {
  params: Promise<{ nextauth: string[] }>;
}

// Not through route(): next-auth sets its own cookies and redirects.
async function handler(request: NextRequest, context: AuthContext): Promise<Response> {
  const [action] = (await context.params).nextauth;
  // `_log` would let anyone write to our log.
  if (action === "_log") {
    return new Response(null, { status: 404 });
  }
  return guardNextAuth(request, async (limited) => {
    const cookies: string[] = [];
    const options = authOptions({
      userAgent: request.headers.get("user-agent"),
      onPasswordVerified: (email) => cookies.push(knownBrowserCookie(email)),
    });
    const response: Response = await NextAuth(limited, context, options);
    for (const cookie of cookies) {
      response.headers.append("set-cookie", cookie);
    }
    return response;
  });
}

export { handler as GET, handler as POST };
