import { NextRequest } from "next/server";
import { errorResponse, toAppError } from "@/lib/platform/http/error-response";
import { MAX_ANONYMOUS_BODY_BYTES, readBytes } from "@/lib/platform/http/read-body";
import { DATA_HEADERS, pageHeaders, pagePolicy } from "@/lib/platform/http/security-headers";

/**
 * Passes a request of at most 64 kB on to next-auth, which reads a body of any size before it looks at anything else, and
 * adds the headers that its answers lack.
 */
export async function guardNextAuth(
  request: NextRequest,
  answer: (request: NextRequest) => Promise<Response>,
): Promise<Response> {
  const { url, method, headers } = request;
  let limited = request;
  try {
    if (method === "POST") {
      const body = await readBytes(request, MAX_ANONYMOUS_BODY_BYTES);
      limited = new NextRequest(url, { method, headers, body });
    }
  } catch (thrown) {
    return errorResponse(toAppError(thrown), DATA_HEADERS);
  }
  return secured(await answer(limited));
}

/** next-auth has pages of its own, such as the one to sign out. */
function secured(response: Response): Response {
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  const added = isPage ? pageHeaders(pagePolicy([])) : {};
  for (const [name, value] of Object.entries({ ...DATA_HEADERS, ...added })) {
    response.headers.set(name, value);
  }
  return response;
}
