import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { THEME_SCRIPT } from "@/components/shell/theme-text";
import { builtPages, hashSource } from "@/lib/http/page-scripts";
import { pageHeaders, pagePolicy } from "@/lib/http/security-headers";

const findScripts = builtPages();
/** The page that says there is none is built too, and stands at every address that is nobody's. */
const ANYWHERE = [hashSource(THEME_SCRIPT), ...(findScripts("/_not-found") ?? [])];

/** Gives a page its policy: by hashes where it was built, so that it stays as it is, else by a nonce. */
export function proxy(request: NextRequest): NextResponse {
  const hashes = findScripts(request.nextUrl.pathname);
  if (hashes) {
    return NextResponse.next({ headers: pageHeaders(pagePolicy(hashes)) });
  }
  const nonce = `'nonce-${randomBytes(16).toString("base64")}'`;
  const policy = pagePolicy([nonce, ...ANYWHERE]);
  // Next reads the nonce from the request's own header and puts it on the scripts it writes.
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  return NextResponse.next({ request: { headers }, headers: pageHeaders(policy) });
}

/** Pages alone: it would take a third of the API's throughput. What `route()` answers has its own headers. */
export const config = {
  matcher: [
    {
      source:
        "/((?!v1(?:/|$)|api(?:/|$)|_next/|docs/[^/]+\\.md$|(?:llms\\.txt|robots\\.txt|sitemap\\.xml|openapi\\.json|icon\\.svg)$).*)",
      // The data of a page that is gone to within the browser is no document.
      missing: [{ type: "header", key: "rsc" }],
    },
  ],
};
