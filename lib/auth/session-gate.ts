import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { Gate } from "@/lib/http/route";
import type { AnonymousContext, MemberContext } from "./context";
import { currentSession } from "./write/session";

/** The gate of the console's doors: a signed-in member, from the console's own origin when it changes something. */
export function session(): Gate<MemberContext> {
  return async (request, { requestId, signal }) => {
    rejectForeignOrigin(request);
    const found = await currentSession(request.headers);
    if (!found) {
      throw new AppError("missing_session", "You are not signed in. Sign in and try again.");
    }
    return {
      ctx: { account: { id: found.accountId }, actor: found.actor, requestId, signal },
      caller: { account_id: found.accountId },
    };
  };
}

/** The gate of what strangers may do: anyone, but from a page of the console. */
export const sameOrigin: Gate<AnonymousContext> = async (request, { requestId }) => {
  rejectForeignOrigin(request);
  return { ctx: { requestId } };
};

/** A browser names where a request comes from; one that does not come from our own pages changes nothing. */
function rejectForeignOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isSafe = request.method === "GET" || request.method === "HEAD";
  const isForeign =
    (origin !== null && !isOwn(origin, request)) ||
    (site !== null && site !== "same-origin" && site !== "none");
  if (!isSafe && isForeign) {
    throw new AppError(
      "insufficient_scope",
      "This request came from another site. Use the console itself.",
    );
  }
}

/** Behind a proxy the Host header is the inner name, so the public address counts as well. */
function isOwn(origin: string, request: Request): boolean {
  // A sandboxed frame's origin is "null": no host, which a request without a Host header must not equal.
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  return host !== null && [request.headers.get("host"), new URL(env.APP_URL).host].includes(host);
}
