import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { INVITATION_SCRIPT, LINK_SCRIPT } from "@/components/auth/link-script";
import { EARLY_INPUT_SCRIPT } from "@/components/shell/early-input-script";
import { FIRST_PAINT_SCRIPT, SESSION_HINT } from "@/components/shell/first-paint";
import { hasSecureCookies, SESSION_COOKIE } from "@/lib/platform/auth/cookies";
import { builtPages, hashSource } from "@/lib/platform/http/page-scripts";
import { pageHeaders, pagePolicy } from "@/lib/platform/http/security-headers";

const findScripts = builtPages();
/** What pages rendered on request have, in development all of them; and the not-found page, which may appear at any path. */
const ANY_PAGE = [
  ...[FIRST_PAINT_SCRIPT, EARLY_INPUT_SCRIPT, LINK_SCRIPT, INVITATION_SCRIPT].map(hashSource),
  ...(findScripts("/_not-found") ?? []),
];

/** Adds a page's headers, and keeps the session hint in step with the session cookie. */
export function proxy(request: NextRequest): NextResponse {
  const response = withPolicy(request);
  const hasSession = request.cookies.getAll().some(({ name }) => name.startsWith(SESSION_COOKIE));
  if (hasSession && !request.cookies.has(SESSION_HINT)) {
    response.cookies.set(SESSION_HINT, "1", { sameSite: "lax", secure: hasSecureCookies });
  } else if (!hasSession && request.cookies.has(SESSION_HINT)) {
    response.cookies.delete(SESSION_HINT);
  }
  return response;
}

/** Sets a page's policy: with hashes if it was prerendered, else with a nonce. */
function withPolicy(request: NextRequest): NextResponse {
  const hashes = findScripts(request.nextUrl.pathname);
  if (hashes) {
    return NextResponse.next({ headers: pageHeaders(pagePolicy(hashes)) });
  }
  const nonce = `'nonce-${randomBytes(16).toString("base64")}'`;
  const policy = pagePolicy([nonce, ...ANY_PAGE]);
  // Next reads the nonce from this request header and adds it to its scripts.
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  return NextResponse.next({ request: { headers }, headers: pageHeaders(policy) });
}

/** Pages only: on the API it would cost a third of the throughput, and `route()` sets its own headers. */
export const config = {
  matcher: [
    {
      source:
        "/((?!v1(?:/|$)|mcp$|api(?:/|$)|_next/|docs/[^/]+\\.md$|(?:llms\\.txt|robots\\.txt|sitemap\\.xml|openapi\\.json|icon\\.svg|apple-icon\\.png|opengraph-image\\.png)$).*)",
      // Data of a client-side navigation isn't a document.
      missing: [{ type: "header", key: "rsc" }],
    },
  ],
};
