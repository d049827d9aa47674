import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { THEME_SCRIPT } from "@/components/shell/theme-text";
import { builtPages, hashSource } from "@/lib/http/page-scripts";
import { pageHeaders, pagePolicy } from "@/lib/http/security-headers";

const findScripts = builtPages();
/** The prerendered not-found page may appear at any path. */
const ANY_PAGE = [hashSource(THEME_SCRIPT), ...(findScripts("/_not-found") ?? [])];

/** Sets a page's policy: with hashes if it was prerendered, else with a nonce. */
export function proxy(request: NextRequest): NextResponse {
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
        "/((?!v1(?:/|$)|api(?:/|$)|_next/|docs/[^/]+\\.md$|(?:llms\\.txt|robots\\.txt|sitemap\\.xml|openapi\\.json|icon\\.svg)$).*)",
      // Data of a client-side navigation isn't a document.
      missing: [{ type: "header", key: "rsc" }],
    },
  ],
};
